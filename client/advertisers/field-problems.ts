import type { z } from 'zod';
import { COMPANY_REQUIRED, LOCAL_REQUIRED, TIMED_REQUIRED } from '#shared/advertisers/contract.ts';
import { fieldsOf } from '#shared/endpoint.ts';
import { InvalidForm } from '../forms/use-submit.ts';

/** What is said of all that is missing; a field says for itself that it is. */
const MISSING: string[] = [COMPANY_REQUIRED, TIMED_REQUIRED, LOCAL_REQUIRED];

/**
 * Validates what a schema asks for.
 * @throws InvalidForm with a message for each field, and one for the form: first of what is missing
 */
export function requireSchema(schema: z.ZodType | undefined, value: unknown): void {
  const error = schema?.safeParse(value).error;
  if (!error) return;
  const fields = Object.entries(fieldsOf(error)).map(([name, words]) => [
    name,
    MISSING.includes(words) ? 'Required' : words,
  ]);
  const said = error.issues.map(({ message }) => message);
  const words = said.find((each) => MISSING.includes(each)) ?? said[0] ?? '';
  throw new InvalidForm(Object.fromEntries(fields), words);
}
