import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { tokenHash, type SessionRow, type UserRow } from '#shared/server/collections.ts';
import { createSession, logout, me, redirectUrl } from '#shared/session/contract.ts';
import type { CookieJar } from '../../scripts/session/cookie-jar.ts';
import { codeFor, startTestApi, type TestApi } from '../api.ts';
import { expectRefused } from '../refusals.ts';

const FAILED = 'Failed to exchange code for session token';
let api: TestApi;

/** The names of the cookies of sign-ins that this browser has begun. */
const attemptsIn = (jar: CookieJar) =>
  [...jar.cookies.keys()].filter((name) => name.startsWith('leashwise-sign-in-'));

/** The name of the cookie of the only sign-in that this browser has begun. */
function attemptIn(jar: CookieJar): string {
  const [name = '', ...others] = attemptsIn(jar);
  expect(others).toEqual([]);
  return name;
}

beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

describe('signing in', () => {
  test('signs in over plain HTTP with only a code in the body', async () => {
    const { call, jar } = api.visitor();
    const { code } = await codeFor(api.origin, call, 'alice@example.com');
    const { user } = await call(createSession, { body: { code } });
    expect(user).toMatchObject({
      email: 'alice@example.com',
      given_name: 'Alice',
      is_admin: false,
      has_access: false,
      access_expires_at: null,
    });
    expect(await call(me)).toEqual(user);
    expect(user.documents.card).toMatch(/^automerge:/);
    expect(jar.cookies.has('leashwise-session')).toBe(true);
    expect(attemptsIn(jar)).toEqual([]);
  });

  test('signs in with whichever of several attempts comes back, in any order', async () => {
    const { call, jar } = api.visitor();
    const first = await codeFor(api.origin, call, 'tabs@example.com');
    const second = await codeFor(api.origin, call, 'tabs@example.com');
    const third = await codeFor(api.origin, call, 'tabs@example.com');
    expect(attemptsIn(jar)).toHaveLength(3);
    for (const body of [first, third, second])
      expect((await call(createSession, { body })).user.email).toBe('tabs@example.com');
    expect(attemptsIn(jar)).toEqual([]);
  });

  test('keeps five attempts of a browser and drops the oldest', async () => {
    const { call, jar } = api.visitor();
    const begun = [];
    for (let tab = 0; tab < 7; tab++)
      begun.push(await codeFor(api.origin, call, 'many@example.com'));
    expect(attemptsIn(jar)).toHaveLength(5);
    await expectRefused(call(createSession, { body: begun[1]! }), 400, { code: 'sign_in_refused' });
    await call(createSession, { body: begun[2]! });
    await call(createSession, { body: begun[6]! });
  });

  test('finds the same user again, regardless of the case of the address', async () => {
    const first = await api.as('again@example.com', { access: false });
    const second = await api.as('Again@Example.com', { access: false });
    expect(second.user).toEqual(first.user);
  });

  test('creates one user for two simultaneous first sign-ins', async () => {
    const both = await Promise.all([
      api.as('twins@example.com', { access: false }),
      api.as('twins@example.com', { access: false }),
    ]);
    expect(both[0].user.id).toBe(both[1].user.id);
    expect(await api.db.collection('users').countDocuments({ email: 'twins@example.com' })).toBe(1);
  });

  test('creates the three documents of a user', async () => {
    const { user } = await api.as('documents@example.com', {
      access: false,
      jar: api.visitor().jar,
    });
    const row = await api.db.collection<{ _id: string }>('users').findOne({ _id: user.id });
    expect(row).toMatchObject({ documents_ready: true });
    const card = await api.db.collection<{ _id: string }>('cards').findOne({ _id: user.id });
    expect(card).toMatchObject({
      document_id: user.documents.card.replace('automerge:', ''),
      display_name: '',
      dogs: [],
    });
  });

  test('stores the session token as a hash only, and its cookie is hidden from scripts', async () => {
    const { call, jar } = api.visitor();
    const { code } = await codeFor(api.origin, call, 'cookie@example.com');
    const response = await jar.fetch(`${api.origin}/api/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    const line = response.headers
      .getSetCookie()
      .find((each) => each.startsWith('leashwise-session='));
    expect(line).toMatch(/; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    const token = jar.cookies.get('leashwise-session') ?? '';
    expect(token).toMatch(/^[\w-]{43}$/);
    const rows = await api.db.collection<{ _id: string }>('sessions').find().toArray();
    expect(rows.map(({ _id }) => _id)).toContain(tokenHash(token));
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('ends the previous session of the browser', async () => {
    const first = await api.as('switch@example.com', { access: false });
    const old = first.jar.cookies.get('leashwise-session') ?? '';
    await api.as('other@example.com', { access: false, jar: first.jar });
    first.jar.cookies.set('leashwise-session', old);
    await expectRefused(first.call(me), 401, { code: 'signed_out' });
  });

  test('rejects a sign-in without a code', async () => {
    const words =
      'Cannot exchange code for session token: no code provided in the URL search params.';
    const { call } = api.visitor();
    for (const body of [{}, { code: '' }])
      await expectRefused(call(createSession, { body: body as { code: string } }), 400, {
        error: words,
        code: 'invalid_input',
        fields: { code: words },
      });
  });

  test('signs in without the sync server and creates the documents once it is back', async () => {
    await api.stopSync();
    const person = await api.as('early@example.com', { access: false });
    await api.startSync();
    const ready = async () => {
      await person.call(me);
      await wait(50);
      const row = await api.db.collection<UserRow>('users').findOne({ _id: person.user.id });
      return row?.documents_ready;
    };
    await expect.poll(ready).toBe(true);
  });
});

describe('attacks on signing in', () => {
  test('rejects a code that was already used', async () => {
    const victim = api.visitor();
    const { code } = await codeFor(api.origin, victim.call, 'replay@example.com');
    const name = attemptIn(victim.jar);
    const cookie = victim.jar.cookies.get(name) ?? '';
    await victim.call(createSession, { body: { code } });
    victim.jar.cookies.set(name, cookie);
    await expectRefused(victim.call(createSession, { body: { code } }), 400, {
      error: FAILED,
      code: 'sign_in_refused',
    });
  });

  test('creates one session for a code that is sent ten times at once', async () => {
    const { call, jar } = api.visitor();
    const { code } = await codeFor(api.origin, call, 'race@example.com');
    const name = attemptIn(jar);
    const cookie = `${name}=${jar.cookies.get(name)}`;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        fetch(`${api.origin}/api/sessions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', cookie },
          body: JSON.stringify({ code }),
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 400)]);
  });

  test('rejects another user’s code in the victim’s browser', async () => {
    const attacker = api.visitor();
    const victim = api.visitor();
    const { code } = await codeFor(api.origin, attacker.call, 'attacker@example.com');
    await codeFor(api.origin, victim.call, 'victim@example.com');
    // The victim's browser has another verifier.
    await expectRefused(victim.call(createSession, { body: { code } }), 400, { error: FAILED });
    // The code is now invalid.
    await expectRefused(attacker.call(createSession, { body: { code } }), 400, { error: FAILED });
  });

  test('rejects a code in a browser that started no sign-in', async () => {
    const { code } = await codeFor(api.origin, api.visitor().call, 'stolen@example.com');
    await expectRefused(api.visitor().call(createSession, { body: { code } }), 400, {
      error: FAILED,
      code: 'sign_in_expired',
    });
  });

  test('rejects another state', async () => {
    const { call } = api.visitor();
    const { code, state } = await codeFor(api.origin, call, 'state@example.com');
    await expectRefused(call(createSession, { body: { code, state: `${state}x` } }), 400, {
      error: FAILED,
      code: 'sign_in_refused',
    });
    // The code is still valid with the right state.
    await call(createSession, { body: { code, state } });
  });

  test('rejects another nonce', async () => {
    const { call, jar } = api.visitor();
    const { code } = await codeFor(api.origin, call, 'nonce@example.com');
    const name = attemptIn(jar);
    const sealed = jar.cookies.get(name) ?? '';
    const secrets = JSON.parse(Buffer.from(sealed, 'base64url').toString()) as object;
    const other = JSON.stringify({ ...secrets, nonce: 'another' });
    jar.cookies.set(name, Buffer.from(other).toString('base64url'));
    await expectRefused(call(createSession, { body: { code } }), 400, { error: FAILED });
  });

  test.each(['', 'x', '%00', Buffer.from('{"state":1}').toString('base64url')])(
    'rejects an invented sign-in cookie: %j',
    async (cookie) => {
      const { call, jar } = api.visitor();
      const { code } = await codeFor(api.origin, call, 'made-up@example.com');
      jar.cookies.set(attemptIn(jar), cookie);
      await expectRefused(call(createSession, { body: { code } }), 400, {
        code: 'sign_in_expired',
      });
    },
  );

  test('rejects an unknown code and an expired code', async () => {
    const { call } = api.visitor();
    await codeFor(api.origin, call, 'none@example.com');
    await expectRefused(call(createSession, { body: { code: 'made-up' } }), 400, { error: FAILED });
    const { code } = await codeFor(api.origin, call, 'late@example.com');
    await api.db
      .collection('sandbox_sign_in_codes')
      .updateMany({}, { $set: { expires_at: new Date(Date.now() - 1) } });
    await expectRefused(call(createSession, { body: { code } }), 400, { error: FAILED });
  });

  test('rejects starting and ending a session from another site', async () => {
    const person = await api.as('cross@example.com', { access: false });
    for (const path of ['/oauth/google/redirect_url', '/logout']) {
      const response = await person.jar.fetch(`${api.origin}/api${path}`, {
        headers: { 'sec-fetch-site': 'cross-site' },
      });
      expect(response.status).toBe(403);
    }
    const response = await person.jar.fetch(`${api.origin}/api/sessions`, {
      method: 'POST',
      headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
      body: '{"code":"x"}',
    });
    expect(response.status).toBe(403);
    expect((await person.call(me)).email).toBe('cross@example.com');
  });
});

describe('the sandbox sign-in', () => {
  async function authorizeUrl(): Promise<URL> {
    const { redirectUrl: address, is_sandbox } = await api.visitor().call(redirectUrl);
    expect(is_sandbox).toBe(true);
    return new URL(address);
  }

  test('the sandbox sign-in page offers sample users and accepts any other address', async () => {
    const response = await fetch(await authorizeUrl());
    const page = await response.text();
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(page).toContain('Alex Rivera');
    expect(page).toContain('admin@example.com');
    const link = /href="([^"]*alex%40example\.com[^"]*)"/.exec(page)?.[1] ?? '';
    const next = await fetch(`${api.origin}${link.replaceAll('&#38;', '&')}`, {
      redirect: 'manual',
    });
    expect(next.status).toBe(302);
    expect(next.headers.get('location')).toMatch(
      new RegExp(`^${api.origin}/auth/callback\\?code=[\\w-]+&state=[\\w-]+$`),
    );
  });

  test('shows an invalid address as text with an error', async () => {
    const url = await authorizeUrl();
    url.searchParams.set('login_hint', '"><script>alert(1)</script>');
    const page = await (await fetch(url)).text();
    expect(page).toContain('Please enter an email address');
    expect(page).not.toContain('<script');
  });

  test('limits the codes per minute and address', async () => {
    const codes = api.db.collection('sandbox_sign_in_codes');
    await codes.deleteMany({});
    // 120 × 0.05: six.
    await api.withLimits(0.05, async () => {
      const url = await authorizeUrl();
      url.searchParams.set('login_hint', 'alex@example.com');
      const statuses: number[] = [];
      for (let asked = 0; asked < 8; asked++)
        statuses.push((await fetch(url, { redirect: 'manual' })).status);
      expect(statuses).toEqual([302, 302, 302, 302, 302, 302, 429, 429]);
      expect(await codes.countDocuments()).toBe(6);
      const refused = await fetch(url, { redirect: 'manual' });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    });
  });

  test.each([
    ['redirect_uri', 'https://evil.example/auth/callback'],
    ['client_id', 'another'],
    ['response_type', 'token'],
    ['code_challenge_method', 'plain'],
    ['code_challenge', ''],
  ])('rejects another %s', async (name, value) => {
    const url = await authorizeUrl();
    url.searchParams.set('login_hint', 'alex@example.com');
    url.searchParams.set(name, value);
    const response = await fetch(url, { redirect: 'manual' });
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
  });

  test('uses the origin through which the browser came', async () => {
    for (const [host, origin] of [
      ['localhost:4321', 'http://localhost:4321'],
      ['127.0.0.1:4321', 'http://127.0.0.1:4321'],
    ] as const) {
      const { redirectUrl: address } = JSON.parse(await getAs(host)) as {
        redirectUrl: string;
      };
      expect(new URL(address).origin).toBe(origin);
      const target = new URL(address).searchParams.get('redirect_uri');
      expect(target).toBe(`${origin}/auth/callback`);
    }
    expect(JSON.parse(await getAs('evil.example'))).toMatchObject({ code: 'wrong_host' });
  });

  /** Needed since `fetch` can't set the Host header. */
  const getAs = (host: string) =>
    new Promise<string>((resolve, reject) => {
      const url = `${api.origin}/api/oauth/google/redirect_url`;
      get(url, { headers: { host } }, (response) => {
        text(response).then(resolve, reject);
      }).once('error', reject);
    });
});

describe('ending a session', () => {
  test('a logout ends its own session at once, and no other', async () => {
    const phone = await api.as('two@example.com', { access: false });
    const tablet = await api.as('two@example.com', { access: false });
    const stolen = phone.jar.header;
    await phone.call(logout);
    expect(phone.jar.cookies.size).toBe(0);
    const response = await fetch(`${api.origin}/api/users/me`, { headers: { cookie: stolen } });
    expect(response.status).toBe(401);
    expect((await tablet.call(me)).email).toBe('two@example.com');
  });

  test('a logout can be repeated and works without a session', async () => {
    const { call } = api.visitor();
    expect(await call(logout)).toEqual({});
    expect(await call(logout)).toEqual({});
  });

  test('notices a session that another server ended', async () => {
    const person = await api.as('signal@example.com', { access: false });
    await person.call(me);
    // The other server writes the row first, then the signal.
    await api.db
      .collection('sessions')
      .updateOne({ user_id: person.user.id }, { $set: { revoked_at: new Date() } });
    await api.db
      .collection('signals')
      .insertOne({ topic: 'session', user_id: person.user.id, at: new Date() });
    const status = () =>
      person.call(me).then(
        () => 200,
        (refusal: { status: number }) => refusal.status,
      );
    await expect.poll(status).toBe(401);
  });

  test('a session that is unused for thirty days ends', async () => {
    const person = await api.as('idle@example.com', { access: false });
    await api.db
      .collection('sessions')
      .updateOne({ user_id: person.user.id }, { $set: { expires_at: new Date(Date.now() - 1) } });
    await api.reread(person);
    await expectRefused(person.call(me), 401);
  });

  test('a used session is extended at most once an hour', async () => {
    const person = await api.as('used@example.com', { access: false });
    const sessions = api.db.collection<SessionRow>('sessions');
    const day = 24 * 60 * 60 * 1000;
    const soon = new Date(Date.now() + day);
    const before = new Date(Date.now() - day / 24 - 1);
    await sessions.updateOne(
      { user_id: person.user.id },
      { $set: { expires_at: soon, last_used_at: before } },
    );
    await api.reread(person);
    await person.call(me);
    const row = await sessions.findOne({ user_id: person.user.id });
    expect(row?.expires_at.getTime()).toBeGreaterThan(Date.now() + 29 * day);
    await person.call(me);
    expect(await sessions.findOne({ user_id: person.user.id })).toEqual(row);
  });

  test('replacing the sandbox sign-in with Google ends its sessions and admin rights', async () => {
    const admin = await api.asAdmin();
    expect(admin.user.is_admin).toBe(true);
    await api.restartApi({
      GOOGLE_CLIENT_ID: 'id',
      GOOGLE_CLIENT_SECRET: 'secret',
      ADMIN_EMAILS: 'admin@example.com',
    });
    try {
      await expectRefused(admin.call(me), 401);
      const row = await api.db.collection<UserRow>('users').findOne({ _id: admin.user.id });
      expect(row?.is_admin).toBe(false);
      const page = await fetch(`${api.origin}/api/sandbox/google/authorize`);
      expect(page.status).toBe(404);
    } finally {
      await api.restartApi();
    }
  });

  test('background jobs expired sessions', async () => {
    const sessions = api.db.collection<{ _id: string; expires_at: Date }>('sessions');
    await sessions.insertOne({ _id: 'long over', expires_at: new Date(0) });
    await api.runJobs();
    await expect.poll(() => sessions.findOne({ _id: 'long over' })).toBeNull();
  });
});
