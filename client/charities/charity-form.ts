import { z } from 'zod';
import { fieldsOf } from '#shared/endpoint.ts';
import type { applicationFields, charityFields } from '#shared/charities/contract.ts';

const NAMES = [
  'charity_name',
  'description',
  'contact_name',
  'contact_email',
  'confirm_email',
  'phone',
  'address',
  'city',
  'state',
  'zip_code',
  'website_url',
  'tax_id',
  'payment_link',
] as const;

/** The texts of a charity's form, by field; `confirm_email` is only typed. */
export const charityDraft = z.record(z.enum(NAMES), z.string());
export type CharityDraft = z.output<typeof charityDraft>;

export const EMPTY_DRAFT = Object.fromEntries(NAMES.map((name) => [name, ''])) as CharityDraft;

/** What is sent: neither the repeated address nor what was left empty. */
export function bodyOf(draft: CharityDraft) {
  const filled = Object.entries(draft).filter(
    ([name, value]) => name !== 'confirm_email' && value.trim() !== '',
  );
  return Object.fromEntries(filled) as Omit<CharityDraft, 'confirm_email'>;
}

/** What is wrong with each field, as the server would say it. */
export function problemsIn(
  draft: CharityDraft,
  asked: typeof charityFields | typeof applicationFields,
): Record<string, string> {
  return fieldsOf(asked.safeParse(bodyOf(draft)).error);
}
