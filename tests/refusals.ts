import { expect } from 'vitest';
import { CallError } from '../client/platform/http/api-client.ts';

/** Expects a refusal with this status and, if given, this text, code, and fields. */
export async function expectRefused(
  promise: Promise<unknown>,
  status: number,
  expected: { error?: string; code?: string; fields?: Record<string, string> } = {},
): Promise<void> {
  const refusal = await promise.then(
    (answer) => {
      throw new Error(`answered instead: ${JSON.stringify(answer)}`);
    },
    (error: unknown) => error,
  );
  if (!(refusal instanceof CallError)) throw refusal;
  const { error, code, fields } = expected;
  expect({ status: refusal.status, message: refusal.message, code: refusal.code }).toEqual({
    status,
    message: error ?? refusal.message,
    code: code ?? refusal.code,
  });
  if (fields) expect(refusal.fields).toEqual(fields);
}
