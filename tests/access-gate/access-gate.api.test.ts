import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { listCodeUses, updateCode } from '#shared/access-gate/admin-contract.ts';
import { validateCode } from '#shared/access-gate/contract.ts';
import { listDogs } from '#shared/dogs/contract.ts';
import { createSession, me } from '#shared/session/contract.ts';
import { codeFor, startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeCode } from '../factories.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
let admin: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
});
afterAll(() => api.close());

const enter = (person: { call: TestPerson['call'] }, code: string) =>
  person.call(validateCode, { body: { code } });
const outsider = (email: string) => api.as(email, { access: false });
const DAY = 24 * 60 * 60 * 1000;

describe('a valid access code', () => {
  test('a valid code gives a signed-in user access for thirty days at once', async () => {
    const { id, code } = await makeCode(admin);
    const person = await outsider('in@example.com');
    await expectRefused(person.call(listDogs), 403, { code: 'no_access' });
    const answer = await enter(person, `  ${code.toLowerCase()} `);
    expect(answer.code).toBe(code);
    const days = (Date.parse(answer.expires_at) - Date.now()) / DAY;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThanOrEqual(30);
    expect(await person.call(listDogs)).toEqual({ dogs: [] });
    expect(await person.call(me)).toMatchObject({
      has_access: true,
      access_expires_at: answer.expires_at,
    });
    const { uses } = await admin.call(listCodeUses, { params: { id } });
    expect(uses).toMatchObject([{ access_code_id: id, user_id: person.user.id }]);
    expect(uses[0]?.ip_address).toMatch(/127\.0\.0\.1$/);
  });

  test('a valid code gives access to a visitor who signs in later, but only once', async () => {
    const { id, code } = await makeCode(admin);
    const { call, jar } = api.visitor();
    await enter({ call }, code);
    const grant = jar.cookies.get('leashwise-access') ?? '';
    expect(grant).toMatch(/^[\w-]{43}$/);
    const uses = async () => (await admin.call(listCodeUses, { params: { id } })).uses;
    expect(await uses()).toMatchObject([{ user_id: null }]);

    const signIn = await codeFor(api.origin, call, 'later@example.com');
    const { user } = await call(createSession, { body: signIn });
    expect(user.has_access).toBe(true);
    expect(await uses()).toMatchObject([{ user_id: user.id }]);
    expect(jar.cookies.has('leashwise-access')).toBe(false);

    const friend = api.visitor();
    friend.jar.cookies.set('leashwise-access', grant);
    const theirs = await codeFor(api.origin, friend.call, 'friend-of-later@example.com');
    expect((await friend.call(createSession, { body: theirs })).user.has_access).toBe(false);
  });

  test('entering a code twice counts as one use per person', async () => {
    const { id, code } = await makeCode(admin, { max_uses: 2 });
    const uses = async () => (await admin.call(listCodeUses, { params: { id } })).uses.length;
    const person = await outsider('twice@example.com');
    await enter(person, code);
    await enter(person, code);
    expect(await uses()).toBe(1);
    const visitor = api.visitor();
    await enter(visitor, code);
    await enter(visitor, code);
    expect(await uses()).toBe(2);
    await expectRefused(enter(api.visitor(), code), 400);
  });

  test('fifty simultaneous attempts use a code exactly max_uses times', async () => {
    const { id, code } = await makeCode(admin, { max_uses: 5 });
    const tries = Array.from({ length: 50 }, () => enter(api.visitor(), code));
    const results = await Promise.allSettled(tries);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    const { accessCode } = await admin.call(updateCode, { params: { id }, body: {} });
    expect(accessCode.current_uses).toBe(5);
    const { uses } = await admin.call(listCodeUses, { params: { id } });
    expect(uses).toHaveLength(5);
  });
});

describe('an invalid access code', () => {
  const WRONG = { error: 'Invalid access code', code: 'invalid_code' };

  test('gives the same error for unknown, used-up, disabled, and expired codes', async () => {
    const spent = await makeCode(admin, { max_uses: 1 });
    await enter(api.visitor(), spent.code);
    const off = await makeCode(admin);
    await admin.call(updateCode, { params: { id: off.id }, body: { is_active: false } });
    const old = await makeCode(admin, { expires_at: '2020-01-01T00:00:00Z' });
    for (const code of ['NEVER-MADE', spent.code, off.code, old.code]) {
      await expectRefused(enter(api.visitor(), code), 400, WRONG);
      await expectRefused(enter(await outsider('wrong@example.com'), code), 400, WRONG);
    }
  });

  test('does not treat a code as a database query or a pattern', async () => {
    const body = { code: { $ne: null } } as unknown as { code: string };
    await expectRefused(api.visitor().call(validateCode, { body }), 400, { code: 'invalid_input' });
    await expectRefused(enter(api.visitor(), '.*'), 400, WRONG);
  });

  test('refuses empty and overlong codes', async () => {
    for (const body of [{ code: '  ' }, {} as { code: string }])
      await expectRefused(api.visitor().call(validateCode, { body }), 400, {
        error: 'Please enter an access code',
        fields: { code: 'Please enter an access code' },
      });
    await expectRefused(enter(api.visitor(), 'X'.repeat(51)), 400, { code: 'invalid_input' });
  });
});

test('refuses calls as soon as access expires, while the session stays valid', async () => {
  const person = await api.as('ran-out@example.com');
  await person.call(listDogs);
  await api.db
    .collection('users')
    .updateOne({ email: 'ran-out@example.com' }, { $set: { access_expires_at: new Date() } });
  await api.db
    .collection('signals')
    .insertOne({ topic: 'user', user_id: person.user.id, at: new Date() });
  const status = () =>
    person.call(listDogs).then(
      () => 200,
      (refusal: { status: number }) => refusal.status,
    );
  await expect.poll(status).toBe(403);
  expect((await person.call(me)).has_access).toBe(false);
});

test('guesses from many networks lower the limit per network without locking out others', async () => {
  await api.withLimits(0.02, async () => {
    const { code } = await makeCode(await api.asAdmin());
    const tryAs = (network: string, guess: string) =>
      api.call(validateCode, { body: { code: guess }, headers: { 'x-forwarded-for': network } });
    const networks = Array.from({ length: 70 }, (_, index) => `198.51.100.${index}`);
    const guess = (network: string) =>
      expectRefused(tryAs(network, `GUESS-${network}`), 400, { code: 'invalid_code' });
    await Promise.all(networks.map(guess));
    // Normally ten guesses are allowed. Now a network that guessed once is already limited.
    for (const network of networks.slice(0, 3))
      await expectRefused(tryAs(network, code), 429, { code: 'rate_limited' });
    expect(await tryAs('203.0.113.5', code)).toMatchObject({ code });
  });
});
