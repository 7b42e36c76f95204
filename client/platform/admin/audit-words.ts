import type { AuditEntry } from '#shared/admin/contract.ts';
import { capitalized } from '#shared/capitalized.ts';
import { formatDateTime } from '#shared/dates.ts';

/** Converts a name such as `access-code` or `max_uses` to words. */
export const plainWords = (name: string): string => capitalized(name.replaceAll(/[-_]/g, ' '));

const ISO_TIME = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** Returns the words for the value of a field. */
export function valueWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return ISO_TIME.test(value) ? formatDateTime(value) : value;
  const isList = Array.isArray(value) && value.every((each) => typeof each !== 'object');
  return isList ? value.join(', ') || 'nothing' : JSON.stringify(value);
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
