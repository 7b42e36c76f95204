import type { z } from 'zod';
import { fieldsOf } from '#shared/endpoint.ts';
import { CallError } from '../call.ts';

/** What is wrong with a form: the words on top, and those of each field. */
export interface Problems {
  words: string;
  fields: Record<string, string>;
}

/** What a schema finds wrong; null when nothing is. */
export function problemsIn(schema: z.ZodType, value: unknown): Problems | null {
  const { error } = schema.safeParse(value);
  if (!error) return null;
  return { words: error.issues[0]?.message ?? '', fields: fieldsOf(error) };
}

/** What the server refused, or that it was not reached. */
export function problemsOf(error: unknown, failure: string): Problems {
  if (!(error instanceof CallError)) throw error;
  return error.status === 0
    ? { words: `${failure}. It needs the network; what you entered is kept.`, fields: {} }
    : { words: error.message, fields: error.fields };
}
