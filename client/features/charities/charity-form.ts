import { z } from 'zod';
import type { applicationFields, charityFields } from '#shared/charities/contract.ts';
import { fieldsOf } from '#shared/endpoint.ts';

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

/** The texts of a charity's form by field; `confirm_email` isn't sent. */
export const charityDraft = z.record(z.enum(NAMES), z.string());
export type CharityDraft = z.output<typeof charityDraft>;

export const EMPTY_DRAFT = Object.fromEntries(NAMES.map((name) => [name, ''])) as CharityDraft;

/** Returns the request body, without the repeated address and empty fields. */
export function bodyOf(draft: CharityDraft) {
  const filled = Object.entries(draft).filter(
    ([name, value]) => name !== 'confirm_email' && value.trim() !== '',
  );
  return Object.fromEntries(filled) as Omit<CharityDraft, 'confirm_email'>;
}

/** Returns a message for each invalid field, as the server would. */
export function problemsIn(
  draft: CharityDraft,
  schema: typeof charityFields | typeof applicationFields,
): Record<string, string> {
  return fieldsOf(schema.safeParse(bodyOf(draft)).error);
}
