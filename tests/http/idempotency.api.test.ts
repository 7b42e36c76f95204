import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { deleteCode, listCodes, updateCode } from '#shared/access-gate/admin-contract.ts';
import { createAdvertiser } from '#shared/advertisers/contract.ts';
import { createCharity } from '#shared/charities/contract.ts';
import { createDog, listDogs, updateDog } from '#shared/dogs/contract.ts';
import { createDonation } from '#shared/payments/contract.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { company, freshEmail, makeLocalAd, makeTimedAd, signUp } from '../advertisers/sign-up.ts';
import { startTestApi, type TestApi } from '../api.ts';
import { charityBody } from '../charities/made-charities.ts';
import { makeCode, makeDog, makeProfile } from '../factories.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

const REUSED = {
  error: 'This Idempotency-Key was used for another request',
  code: 'key_reused',
};

describe('an Idempotency-Key that was used', () => {
  test('refuses an Idempotency-Key for another method of the same path', async () => {
    const admin = await api.asAdmin();
    const { id } = await makeCode(admin);
    const both = { params: { id }, idempotencyKey: randomUUID() };
    await admin.call(updateCode, { ...both, body: {} });
    await expectRefused(admin.call(deleteCode, both), 409, REUSED);
    const { accessCodes } = await admin.call(listCodes);
    expect(accessCodes.map((code) => code.id)).toContain(id);
  });

  test('refuses an Idempotency-Key for another path, resource, or body', async () => {
    const owner = await api.as('keys@example.com');
    const [rex, ada] = [await makeDog(owner), await makeDog(owner, { name: 'Ada' })];
    const idempotencyKey = randomUUID();
    const body = { name: 'Rex II', sound_type: 'leash_on' as const };
    const rename = (id: string, name: string) =>
      owner.call(updateDog, { params: { id }, body: { ...body, name }, idempotencyKey });
    await rename(rex.id, 'Rex II');
    await expectRefused(owner.call(createDog, { body, idempotencyKey }), 409, REUSED);
    await expectRefused(rename(ada.id, 'Rex II'), 409, REUSED);
    await expectRefused(rename(rex.id, 'Rex III'), 409, REUSED);
    const { dogs } = await owner.call(listDogs);
    expect(dogs.map(({ name }) => name).toSorted()).toEqual(['Ada', 'Rex II']);
  });

  test('refuses a reused Idempotency-Key of visitors and members on public calls', async () => {
    const member = await api.as('keys2@example.com');
    for (const { call } of [api.visitor(), member]) {
      const [idempotencyKey, another] = [randomUUID(), randomUUID()];
      await call(createDonation, { body: { amount_cents: 100 } });
      const donate = (amount_cents: number) =>
        call(createDonation, { body: { amount_cents }, idempotencyKey });
      const { donation } = await donate(100);
      expect(await donate(100)).toEqual({ donation });
      await expectRefused(donate(500), 409, REUSED);

      const body = charityBody();
      const apply = (charity_name: string) =>
        call(createCharity, {
          body: { ...body, charity_name },
          file: null,
          idempotencyKey: another,
        });
      const { charity } = await apply('Paws for all');
      expect(await apply('Paws for all')).toEqual({ charity });
      await expectRefused(apply('Paws for some'), 409, REUSED);
    }
  });

  test('refuses an advertiser’s Idempotency-Key for another company, ad, or kind of ad', async () => {
    const kim = await signUp(api);
    const idempotencyKey = randomUUID();
    const join = (email: string) =>
      kim.call(createAdvertiser, { body: { ...company, email }, idempotencyKey });
    const email = freshEmail();
    const { advertiser } = await join(email);
    expect(await join(email)).toEqual({ advertiser });
    await expectRefused(join(freshEmail()), 409, REUSED);
    await makeTimedAd(kim, { title: 'First' }, { idempotencyKey });
    await expectRefused(makeTimedAd(kim, { title: 'Second' }, { idempotencyKey }), 409, REUSED);
    await expectRefused(makeLocalAd(kim, {}, { idempotencyKey }), 409, REUSED);
  });

  test('the same Idempotency-Key of two users is independent', async () => {
    const idempotencyKey = randomUUID();
    const dogs = await Promise.all(
      ['keys3@example.com', 'keys4@example.com'].map(async (email) => {
        const body = { name: email, sound_type: 'leash_on' as const };
        return (await (await api.as(email)).call(createDog, { body, idempotencyKey })).dog;
      }),
    );
    expect(dogs.map(({ name }) => name)).toEqual(['keys3@example.com', 'keys4@example.com']);
    expect(dogs[0]?.id).not.toBe(dogs[1]?.id);
  });
});

test('refuses an invalid Idempotency-Key', async () => {
  const [member, visitor] = [await api.as('keys5@example.com'), api.visitor()];
  const refused = { error: 'Invalid Idempotency-Key', code: 'invalid_input' };
  const idempotencyKey = 'k'.repeat(101);
  const dog = { name: 'Rex', sound_type: 'leash_on' as const };
  await expectRefused(member.call(createDog, { body: dog, idempotencyKey }), 400, refused);
  const donation = { body: { amount_cents: 100 }, idempotencyKey };
  await expectRefused(visitor.call(createDonation, donation), 400, refused);
});

test('a position report with the same key gets a fresh answer and is not stored', async () => {
  const [walker, other] = await Promise.all(
    ['moment@example.com', 'other-moment@example.com'].map(async (email) => {
      const person = await api.as(email);
      await makeProfile(person);
      return person;
    }),
  );
  if (!walker || !other) throw new Error('a user is missing');
  const here = { latitude: 47.5, longitude: 8.25 };
  const ask = { body: here, idempotencyKey: randomUUID() };
  expect((await walker.call(reportLocation, ask)).nearbyUsers).toEqual([]);
  await other.call(reportLocation, { body: here });
  expect((await walker.call(reportLocation, ask)).nearbyUsers).toHaveLength(1);
  const keys = api.db.collection<{ _id: string }>('idempotency_keys');
  expect(await keys.countDocuments({ _id: { $regex: `^${walker.user.id} ` } })).toBe(0);
});
