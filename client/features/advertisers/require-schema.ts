import type { z } from 'zod';
import { COMPANY_REQUIRED, LOCAL_REQUIRED, TIMED_REQUIRED } from '#shared/advertisers/contract.ts';
import { capitalized } from '#shared/capitalized.ts';
import { fieldsOf } from '#shared/endpoint.ts';
import { InvalidForm } from '../../platform/forms/use-submit.ts';

/** Messages of the whole form for missing fields; each field names itself. */
const MISSING: string[] = [COMPANY_REQUIRED, TIMED_REQUIRED, LOCAL_REQUIRED];

/** The fields whose label is another word than their name. */
const NAMES: Record<string, string> = {
  target_url: 'Target URL',
  scheduled_start_at: 'Scheduled start',
};
const nameOf = (field: string): string => NAMES[field] ?? capitalized(field.replaceAll('_', ' '));

/**
 * Validates a value by a schema.
 * @throws InvalidForm with a message for each invalid field, and one for the form, preferably for missing fields
 */
export function requireSchema(schema: z.ZodType | undefined, value: unknown): void {
  const error = schema?.safeParse(value).error;
  if (!error) return;
  const fields = Object.entries(fieldsOf(error)).map(([name, message]) => [
    name,
    MISSING.includes(message) ? `${nameOf(name)} is required` : message,
  ]);
  const messages = error.issues.map(({ message }) => message);
  const message = messages.find((each) => MISSING.includes(each)) ?? messages[0] ?? '';
  throw new InvalidForm(Object.fromEntries(fields), message);
}
