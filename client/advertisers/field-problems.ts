import type { z } from 'zod';
import {
  COMPANY_REQUIRED,
  createAdvertiser,
  LOCAL_REQUIRED,
  TIMED_REQUIRED,
} from '#shared/advertisers/contract.ts';
import { fieldsOf } from '#shared/endpoint.ts';
import { companyOf, type Draft } from './draft.ts';

/** What is said of all that is missing; a field says for itself that it is. */
const MISSING: string[] = [COMPANY_REQUIRED, TIMED_REQUIRED, LOCAL_REQUIRED];

/** What a schema finds wrong: in words, first of what is missing, and at each field; null when nothing is. */
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
  const said = error.issues.map(({ message }) => message);
  const words = said.find((each) => MISSING.includes(each)) ?? said[0] ?? '';
  return { words, fields: Object.fromEntries(fields) };
}

/** What is wrong with who advertises; null when nothing is. */
export const companyProblems = (draft: Draft) =>
  createAdvertiser.body ? problemsIn(createAdvertiser.body, companyOf(draft)) : null;

/** Where the server was not reached. */
export const unanswered = (failure: string): string =>
  `${failure}. It needs the network; what you entered is kept.`;
