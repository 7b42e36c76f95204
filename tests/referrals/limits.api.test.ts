import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createReferral, getReferralStats } from '#shared/referrals/contract.ts';
import { DAY_MS } from '#shared/time.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

const invite = (person: TestPerson, recipient_email: string) =>
  person.call(createReferral, { body: { referral_method: 'email', recipient_email } });

test('limits invitations to one address to three a month across all senders', () =>
  api.withLimits(1, async () => {
    for (const from of ['a@example.com', 'b@example.com', 'c@example.com'])
      await invite(await api.as(from), 'wanted@example.com');
    const last = await api.as('d@example.com');
    await expectRefused(invite(last, 'Wanted@example.com'), 429, {
      code: 'rate_limited',
      error: 'This person has been invited too often lately. Share your link instead.',
    });
    expect((await last.call(getReferralStats)).total_referrals).toBe(0);
    await invite(last, 'another@example.com');
  }));

test('counts an invitation repeated under its idempotency key once', () =>
  api.withLimits(1, async () => {
    const person = await api.as('repeats@example.com');
    const body = { referral_method: 'email' as const, recipient_email: 'patient@example.com' };
    for (let times = 0; times < 5; times++)
      await person.call(createReferral, { body, idempotencyKey: 'one' });
    expect((await person.call(getReferralStats)).total_referrals).toBe(1);
  }));

describe('text messages', () => {
  const DAYS_OLD = 30;
  let people: TestPerson[];
  let newcomer: TestPerson;
  beforeAll(async () => {
    people = await Promise.all(
      Array.from({ length: 13 }, (_, index) => api.as(`sender${index}@example.com`)),
    );
    const created_at = new Date(Date.now() - DAYS_OLD * DAY_MS);
    await api.db.collection('users').updateMany({}, { $set: { created_at } });
    newcomer = await api.as('newcomer@example.com');
  });

  let number = 2_000;
  const text = ({ call }: TestPerson, network: string) =>
    call(createReferral, {
      body: { referral_method: 'sms', recipient_phone: `+1415555${(number += 1)}` },
      headers: { 'x-forwarded-for': network },
    });

  test('when the daily total is used up, only older accounts can still send text messages', async () => {
    await api.withLimits(0.02, async () => {
      const [honest, ...senders] = people as [TestPerson, ...TestPerson[]];
      for (const [index, sender] of senders.slice(0, 10).entries())
        await text(sender, `198.51.100.${index}`);
      await expectRefused(text(newcomer, '203.0.113.1'), 429, {
        error: 'New accounts can send text messages from tomorrow. Share your link instead.',
      });
      expect(await text(honest, '203.0.113.2')).toMatchObject({
        referral: { referral_method: 'sms' },
      });
    });
  });

  test('limits text messages per day for new accounts and for each network', async () => {
    await api.withLimits(0.2, async () => {
      const network = '198.51.100.1';
      await text(newcomer, network);
      await expectRefused(text(newcomer, network), 429, {
        error: 'New accounts can’t send more text messages today. Share your link instead.',
      });
      for (const sender of people.slice(0, 11)) await text(sender, network);
      await expectRefused(text(people[11]!, network), 429, {
        error: 'Your network has sent too many text messages today. Share your link instead.',
      });
      await text(people[11]!, '198.51.100.2');
    });
  });
});
