import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createSession, logout, me, redirectUrl } from '#shared/session/contract.ts';
import { codeFor, startTestApi, type TestApi } from '../api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

describe('signing in', () => {
  test('by plain HTTP with the documented body: a code, and nothing else', async () => {
    const { call, jar } = api.visitor();
    const { code } = await codeFor(api.origin, call, 'alice@example.com');
    const { user } = await call(createSession, { body: { code } });
    expect(user).toMatchObject({
      email: 'alice@example.com',
      given_name: 'Alice',
      is_admin: false,
      has_access: false,
    });
    expect(await call(me)).toEqual(user);
    expect(user.documents.card).toMatch(/^automerge:/);
    expect(jar.cookies.has('__Host-session')).toBe(true);
  });
});
