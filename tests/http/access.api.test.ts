import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { contracts } from '#shared/contracts.ts';
import type { Access, Endpoint } from '#shared/endpoint.ts';
import { CookieJar } from '../../scripts/session/cookie-jar.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';

let api: TestApi;
let outside: TestPerson;
let member: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  outside = await api.as('outside@example.com', { access: false });
  member = await api.as('member@example.com');
});
afterAll(() => api.close());

/** Sends an invalid request. A caller without access must not learn that it is invalid. */
async function ask(endpoint: Endpoint, jar = new CookieJar()) {
  const path = endpoint.path.replace(/:\w+/g, 'nothing-like-it');
  const response = await jar.fetch(`${api.origin}/api${path}`, {
    method: endpoint.method,
    ...(endpoint.body
      ? { headers: { 'content-type': 'application/json' }, body: '{"nonsense":true}' }
      : {}),
  });
  const body = (await response.json()) as { code?: string; error?: string };
  return { status: response.status, code: body.code, said: typeof body.error === 'string' };
}

const guarded = [...contracts].filter(([, { access }]) => access !== 'public');

test('there are protected calls to test', () => expect(guarded.length).toBeGreaterThan(15));

describe.each(guarded)('%s', (_name, endpoint) => {
  test('refuses signed-out callers', async () => {
    expect(await ask(endpoint)).toEqual({ status: 401, code: 'signed_out', said: true });
  });

  test('refuses an invented session', async () => {
    const jar = new CookieJar();
    jar.cookies.set('leashwise-session', 'x'.repeat(43));
    expect(await ask(endpoint, jar)).toEqual({ status: 401, code: 'signed_out', said: true });
  });
});

const only = (access: Access) => guarded.filter(([, endpoint]) => endpoint.access === access);

test.each(only('member'))('%s refuses users without access', async (_name, endpoint) => {
  const answer = { status: 403, code: 'no_access', said: true };
  expect(await ask(endpoint, outside.jar)).toEqual(answer);
});

test.each(only('admin'))('%s refuses users who are not admins', async (_name, endpoint) => {
  const answer = { status: 403, code: 'not_admin', said: true };
  expect(await ask(endpoint, outside.jar)).toEqual(answer);
  expect(await ask(endpoint, member.jar)).toEqual(answer);
});

test('all admin paths are for admins', () => {
  const others = [...contracts].filter(
    ([, { path, access }]) => /^\/(admin|donations\/stats)(\/|$)/.test(path) && access !== 'admin',
  );
  // Anyone may ask whether they are an admin.
  expect(others.map(([, { path }]) => path)).toEqual(['/admin/check']);
  expect(only('admin').length).toBeGreaterThan(60);
});
