import type { z } from 'zod';
import { COMPANY_REQUIRED, LOCAL_REQUIRED, TIMED_REQUIRED } from '#shared/advertisers/contract.ts';
import { fieldsOf } from '#shared/endpoint.ts';

/** What is said of all that is missing; a field says for itself that it is. */
const MISSING: string[] = [COMPANY_REQUIRED, TIMED_REQUIRED, LOCAL_REQUIRED];

/** What a schema finds wrong: in words, and at each field; null when nothing is. */
export function problemsIn(
  schema: z.ZodType,
  value: unknown,
): { words: string; fields: Record<string, string> } | null {
  const { error } = schema.safeParse(value);
  if (!error) return null;
  const fields = Object.entries(fieldsOf(error)).map(([name, words]) => [
    name,
    MISSING.includes(words) ? 'Required' : words,
  ]);
  return { words: error.issues[0]?.message ?? '', fields: Object.fromEntries(fields) };
}

/** Where the server was not reached. */
export const unanswered = (failure: string): string =>
  `${failure}. It needs the network; what you entered is kept.`;
