import type { AuditEntry } from '#shared/admin/contract.ts';
import { capitalized } from '#shared/capitalized.ts';
import { formatDateTime } from '#shared/dates.ts';
import { dollars } from '#shared/money.ts';

/** Converts a name such as `access-code` or `max_uses` to words. */
export const plainWords = (name: string): string => capitalized(name.replaceAll(/[-_]/g, ' '));

/** Fields whose own name says what people call otherwise. */
const FIELD_NAMES: Record<string, string> = {
  admin_notes: 'Notes for moderators',
  affected_latitude: 'Latitude',
  affected_longitude: 'Longitude',
  image_url: 'Picture',
  image_key: 'Picture',
  logo_key: 'Logo',
  max_uses: 'Most uses',
  rule_pattern: 'Words',
  target_url: 'Link',
  website_url: 'Website',
  zip_code: 'ZIP code',
};

const CENTS = /_cents$/;

/** What people call a field: 'Verified' for `is_verified`, 'Total donated' for `total_donated_cents`. */
export const fieldWords = (field: string): string =>
  FIELD_NAMES[field] ??
  plainWords(
    field
      .replace(/^is_/, '')
      .replace(/user_id$/, 'user')
      .replace(/_(at|cents|on)$/, ''),
  );

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** An identifier such as `wrong_details`. */
const IDENTIFIER = /^[a-z]+(_[a-z]+)+$/;

/** Returns the words for the value of a field. @param field its name, which says whether it is money */
export function valueWords(value: unknown, field = ''): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return CENTS.test(field) ? dollars(value) : value.toLocaleString();
  if (typeof value === 'string') {
    if (IDENTIFIER.test(value)) return value.replaceAll('_', ' ');
    return ISO_TIME.test(value) ? formatDateTime(value) : value;
  }
  if (Array.isArray(value)) return value.map((each) => valueWords(each)).join(', ') || 'nothing';
  return Object.entries(value)
    .map(([name, part]) => `${fieldWords(name)}: ${valueWords(part, name)}`)
    .join(', ');
}

/** The fields of an entry that say something: without those that were and are empty, and without the id of its subject. */
export function changedFields({ before, after, subject_id }: AuditEntry): string[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields.filter((field) => {
    const values = [before?.[field], after?.[field]];
    return values.some((value) => valueWords(value) !== 'nothing') && !values.includes(subject_id);
  });
}

/** Returns the admin action of an audit log entry, such as 'Update access code'. */
export const actWords = ({ act, voids }: AuditEntry): string => {
  const [kind = '', action = ''] = act.split('.');
  const words = plainWords(`${action} ${kind}`);
  return voids ? `Failed: ${words}` : words;
};

const NAMES = [
  'code',
  'title',
  'charity_name',
  'company_name',
  'business_name',
  'rule_name',
  'name',
];

/** What people call the subject of an entry: its name now, or as recorded if it was deleted since; else null. */
export function subjectWords({ subject_name, before, after }: AuditEntry): string | null {
  if (subject_name !== null) return subject_name;
  const values = { ...before, ...after };
  const found = NAMES.map((name) => values[name]).find((value) => typeof value === 'string');
  return typeof found === 'string' && found !== '' ? found : null;
}
