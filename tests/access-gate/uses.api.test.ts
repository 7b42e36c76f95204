import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { validateCode } from '#shared/access-gate/contract.ts';
import { tokenHash } from '#shared/server/collections.ts';
import { createSession, me } from '#shared/session/contract.ts';
import { DAY_MS } from '#shared/time.ts';
import type {
  AccessCodeRow,
  AccessCodeUseRow,
  AccessGrantRow,
} from '../../api/features/access-gate/collections.ts';
import { revokeCode } from '../../api/features/access-gate/revoke.ts';
import { codeFor, startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeCode } from '../factories.ts';
import { expectRefused } from '../refusals.ts';

/** Crashes, repeated entries, and expiry, and their effect on the use count and access of a code. */
let api: TestApi;
let admin: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
  admin = await api.asAdmin();
});
afterAll(() => api.close());

const codes = () => api.db.collection<AccessCodeRow>('access_codes');
const uses = () => api.db.collection<AccessCodeUseRow>('access_code_uses');
const enter = (person: { call: TestPerson['call'] }, code: string) =>
  person.call(validateCode, { body: { code } });

test('granted access survives a crash during sign-in', async () => {
  const { code } = await makeCode(admin, { max_uses: 1 });
  const { call, jar } = api.visitor();
  await enter({ call }, code);
  const cookie = jar.cookies.get('leashwise-access') ?? '';
  const first = await codeFor(api.origin, call, 'cut-off@example.com');
  const { user } = await call(createSession, { body: first });
  // Simulates a crash right after the grant was assigned: the user has no access yet, and the browser still has its cookie.
  await api.db
    .collection<{ _id: string }>('users')
    .updateOne({ _id: user.id }, { $set: { access_expires_at: null } });
  await uses().updateMany({ user_id: user.id }, { $set: { user_id: null } });
  const grants = api.db.collection<AccessGrantRow>('access_grants');
  expect(await grants.countDocuments({ _id: tokenHash(cookie), user_id: user.id })).toBe(1);
  jar.cookies.set('leashwise-access', cookie);

  const again = await codeFor(api.origin, call, 'cut-off@example.com');
  expect((await call(createSession, { body: again })).user.has_access).toBe(true);
  expect(await uses().countDocuments({ user_id: user.id })).toBe(1);
});

test('a returning user resumes a use that was counted before the api crashed', async () => {
  const { id, code } = await makeCode(admin, { max_uses: 1 });
  const person = await api.as('comes-back@example.com', { access: false });
  const reservation = { use_id: randomUUID(), claimant: person.user.id, at: new Date() };
  await codes().updateOne(
    { _id: id },
    { $inc: { current_uses: 1 }, $push: { reservations: reservation } },
  );
  await expectRefused(enter(api.visitor(), code), 400, { code: 'invalid_code' });
  await enter(person, code);
  expect((await codes().findOne({ _id: id }))?.current_uses).toBe(1);
  expect(await uses().findOne({ access_code_id: id })).toMatchObject({
    _id: reservation.use_id,
    user_id: person.user.id,
  });
});

test('releases a counted but unrecorded use when the api starts', async () => {
  const { id, code } = await makeCode(admin, { max_uses: 1 });
  const at = new Date(Date.now() - 120_000);
  await codes().updateOne(
    { _id: id },
    {
      $inc: { current_uses: 1 },
      $push: { reservations: { use_id: randomUUID(), claimant: 'nobody', at } },
    },
  );
  await expectRefused(enter(api.visitor(), code), 400, { code: 'invalid_code' });
  await api.runJobs();
  await expect.poll(async () => (await codes().findOne({ _id: id }))?.current_uses).toBe(0);
  expect((await enter(api.visitor(), code)).code).toBe(code);
});

test('simultaneous entries of a code by one person count once', async () => {
  const { id, code } = await makeCode(admin);
  const person = await api.as('impatient@example.com', { access: false });
  await Promise.all(Array.from({ length: 8 }, () => enter(person, code)));
  expect((await codes().findOne({ _id: id }))?.current_uses).toBe(1);
  expect(await uses().countDocuments({ access_code_id: id })).toBe(1);
});

test('entering a code again does not extend its thirty days, and counts again after they are over', async () => {
  const { id, code } = await makeCode(admin, { max_uses: 2 });
  const person = await api.as('regular@example.com', { access: false });
  const first = await enter(person, code);
  expect((await enter(person, code)).expires_at).toBe(first.expires_at);
  await uses().updateOne(
    { access_code_id: id },
    { $set: { used_at: new Date(Date.now() - 31 * 86_400_000) } },
  );
  await codes().updateOne({ _id: id }, { $set: { reservations: [] } });
  const second = await enter(person, code);
  expect(Date.parse(second.expires_at)).toBeGreaterThan(Date.parse(first.expires_at) - 1000);
  expect((await codes().findOne({ _id: id }))?.current_uses).toBe(2);
});

test('refuses a correct code after too many wrong guesses', async () => {
  const { code } = await makeCode(await api.asAdmin());
  // Scales the limit of 500 wrong codes a day down to two.
  await api.withLimits(0.004, async () => {
    const limits = api.db.collection<{ key: string; points: number; expire: Date }>('rate_limits');
    await limits.insertOne({
      key: 'gate-wrong:127.0.0.1',
      points: 2,
      expire: new Date(Date.now() + 60_000),
    });
    const response = await fetch(`${api.origin}/api/access-codes/validate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

test('adds the days of a new code to the days left, and takes them back with it', async () => {
  const person = await api.as('early@example.com', { access: false });
  const [first, second] = [await makeCode(admin), await makeCode(admin)];
  const begun = Date.parse((await enter(person, first.code)).expires_at);
  const added = Date.parse((await enter(person, second.code)).expires_at);
  expect(added - begun).toBe(30 * DAY_MS);
  expect((await person.call(me)).access_expires_at).toBe(new Date(added).toISOString());
  // The same code again adds nothing.
  expect(Date.parse((await enter(person, second.code)).expires_at)).toBe(added);
  const send = async (topic: string, user_id: string) =>
    void (await api.db.collection('signals').insertOne({ topic, user_id, at: new Date() }));
  const revoked = (await codes().findOne({ _id: first.id }))!;
  await revokeCode({ db: api.db, signals: { send } as never }, revoked);
  const used = (await uses().findOne({ access_code_id: second.id }))!;
  await expect
    .poll(async () => Date.parse((await person.call(me)).access_expires_at ?? ''))
    .toBe(used.used_at.getTime() + 30 * DAY_MS);
});
