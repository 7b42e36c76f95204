import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { contracts } from '#shared/contracts.ts';
import type { Access, Endpoint } from '#shared/endpoint.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { CookieJar } from '../../scripts/cli/cookie-jar.ts';

let api: TestApi;
let outside: TestPerson;
let member: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  outside = await api.as('outside@example.com', { access: false });
  member = await api.as('member@example.com');
});
afterAll(() => api.close());

/** Asks with nonsense: whoever has no access must not even learn that it is nonsense. */
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

test('the sweep finds the calls', () => expect(guarded.length).toBeGreaterThan(15));

describe.each(guarded)('%s', (_name, endpoint) => {
  test('refuses whoever is signed out', async () => {
    expect(await ask(endpoint)).toEqual({ status: 401, code: 'signed_out', said: true });
  });

  test('refuses a made-up session', async () => {
    const jar = new CookieJar();
    jar.cookies.set('__Host-session', 'x'.repeat(43));
    expect(await ask(endpoint, jar)).toEqual({ status: 401, code: 'signed_out', said: true });
  });
});

const only = (access: Access) => guarded.filter(([, endpoint]) => endpoint.access === access);

test.each(only('member'))('%s refuses whoever is not past the gate', async (_name, endpoint) => {
  const answer = { status: 403, code: 'no_access', said: true };
  expect(await ask(endpoint, outside.jar)).toEqual(answer);
});

test.each(only('admin'))('%s refuses whoever is not an admin', async (_name, endpoint) => {
  const answer = { status: 403, code: 'not_admin', said: true };
  expect(await ask(endpoint, outside.jar)).toEqual(answer);
  expect(await ask(endpoint, member.jar)).toEqual(answer);
});

test('whatever the panel calls is among them', () => {
  const others = [...contracts].filter(
    ([, { path, access }]) => /^\/(admin|donations\/stats)(\/|$)/.test(path) && access !== 'admin',
  );
  // Whoever asks whether they are one need not be.
  expect(others.map(([, { path }]) => path)).toEqual(['/admin/check']);
  expect(only('admin').length).toBeGreaterThan(60);
});
