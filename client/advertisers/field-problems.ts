import type { z } from 'zod';
import { COMPANY_REQUIRED, LOCAL_REQUIRED, TIMED_REQUIRED } from '#shared/advertisers/contract.ts';
import { fieldsOf } from '#shared/endpoint.ts';
import { CallError } from '../call.ts';

/** What is wrong with a form: the words on top, and those of each field. */
export interface Problems {
  words: string;
  fields: Record<string, string>;
}

/** What is said on top of all that is missing; a field says for itself that it is. */
const MISSING: string[] = [COMPANY_REQUIRED, TIMED_REQUIRED, LOCAL_REQUIRED];

/** What a schema finds wrong; null when nothing is. */
export function problemsIn(schema: z.ZodType, value: unknown): Problems | null {
  const { error } = schema.safeParse(value);
  if (!error) return null;
  const fields = Object.entries(fieldsOf(error)).map(([name, words]) => [
    name,
    MISSING.includes(words) ? 'Required' : words,
  ]);
  return { words: error.issues[0]?.message ?? '', fields: Object.fromEntries(fields) };
}

/** What the server refused, or that it was not reached. */
export function problemsOf(error: unknown, failure: string): Problems {
  if (!(error instanceof CallError)) throw error;
  return error.status === 0
    ? { words: `${failure}. It needs the network; what you entered is kept.`, fields: {} }
    : { words: error.message, fields: error.fields };
}
