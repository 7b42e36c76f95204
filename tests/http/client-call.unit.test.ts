import { expect, it } from 'vitest';
import { me } from '#shared/session/contract.ts';
import { caller, CallError } from '../../client/platform/http/api-client.ts';
import { errorMessage } from '../../client/platform/http/error-message.ts';

const refusedWith = async (headers: Record<string, string>): Promise<CallError> => {
  const body = { error: 'Too many requests', code: 'rate_limited', fields: { name: 'Too long' } };
  const call = caller({ fetch: async () => Response.json(body, { status: 429, headers }) });
  const refusal = await call(me).catch((error: unknown) => error);
  if (refusal instanceof CallError) return refusal;
  throw new Error('It was not refused');
};

it('a refusal has the message, code, fields, and retry time of the server', async () => {
  expect(await refusedWith({ 'retry-after': '7' })).toMatchObject({
    message: 'Too many requests',
    status: 429,
    code: 'rate_limited',
    fields: { name: 'Too long' },
    retryAfter: 7,
    failure: me.failure,
  });
});

it.each<[Record<string, string>]>([[{}], [{ 'retry-after': '-1' }]])(
  'a refusal with %j has no retry time',
  async (headers) => {
    expect((await refusedWith(headers)).retryAfter).toBeNull();
  },
);

it('a missing response is a refusal with status 0 and the failure text of the endpoint', async () => {
  const call = caller({ fetch: () => Promise.reject(new TypeError('Failed to fetch')) });
  await expect(call(me)).rejects.toMatchObject({
    message: me.failure,
    status: 0,
    code: 'offline',
    retryAfter: null,
  });
});

it('the error message is the server’s, or else the fallback of the screen', async () => {
  expect(errorMessage(await refusedWith({}), 'Try again')).toBe('Too many requests');
  const call = caller({ fetch: async () => new Response('', { status: 502 }) });
  const silent = await call(me).catch((error: unknown) => error);
  expect(errorMessage(silent, 'Try again')).toBe('Try again');
});
