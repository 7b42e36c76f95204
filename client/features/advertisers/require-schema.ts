import type { z } from 'zod';
import { COMPANY_REQUIRED, LOCAL_REQUIRED, TIMED_REQUIRED } from '#shared/advertisers/contract.ts';
import { fieldsOf } from '#shared/endpoint.ts';
import { InvalidForm } from '../../platform/forms/use-submit.ts';

/** Messages for missing fields; the fields themselves say 'Required'. */
const MISSING: string[] = [COMPANY_REQUIRED, TIMED_REQUIRED, LOCAL_REQUIRED];

/**
 * Validates a value by a schema.
 * @throws InvalidForm with a message for each invalid field, and one for the form, preferably for missing fields
 */
export function requireSchema(schema: z.ZodType | undefined, value: unknown): void {
  const error = schema?.safeParse(value).error;
  if (!error) return;
  const fields = Object.entries(fieldsOf(error)).map(([name, message]) => [
    name,
    MISSING.includes(message) ? 'Required' : message,
  ]);
  const messages = error.issues.map(({ message }) => message);
  const message = messages.find((each) => MISSING.includes(each)) ?? messages[0] ?? '';
  throw new InvalidForm(Object.fromEntries(fields), message);
}
