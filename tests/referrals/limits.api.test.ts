import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createReferral, getReferralStats, trackAccess } from '#shared/referrals/contract.ts';
import { CallError } from '../../client/call.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { expectRefused } from '../refusals.ts';

/** With the limits as people meet them. */
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'), { RATE_LIMIT_SCALE: '1' });
});
afterAll(() => api.close());

const invite = (person: TestPerson, recipient_email: string) =>
  person.call(createReferral, { body: { referral_method: 'email', recipient_email } });

test('nobody is invited more than three times a month, by whomever', async () => {
  for (const from of ['a@example.com', 'b@example.com', 'c@example.com'])
    await invite(await api.as(from), 'wanted@example.com');
  const last = await api.as('d@example.com');
  await expectRefused(invite(last, 'Wanted@example.com'), 429, {
    code: 'rate_limited',
    error: 'They were invited often enough lately. Please share your link instead.',
  });
  expect((await last.call(getReferralStats)).total_referrals).toBe(0);
  await invite(last, 'another@example.com');
});

test('nobody invites more than twenty people a day, with a new account neither', async () => {
  const person = await api.as('eager@example.com');
  for (let count = 0; count < 20; count++) await invite(person, `friend-${count}@example.com`);
  const refusal = await invite(person, 'one-more@example.com').catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(CallError);
  expect(refusal).toMatchObject({
    status: 429,
    code: 'rate_limited',
    message: 'These were enough invitations for one day. Please share your link instead.',
  });
  expect((refusal as CallError).retryAfter).toBeGreaterThan(3_600);
});

test('an invitation that is repeated under its key counts once', async () => {
  const person = await api.as('repeats@example.com');
  const body = { referral_method: 'email' as const, recipient_email: 'patient@example.com' };
  for (let times = 0; times < 5; times++)
    await person.call(createReferral, { body, idempotencyKey: 'one' });
  expect((await person.call(getReferralStats)).total_referrals).toBe(1);
});

test('whoever tries pairs of people and codes is stopped', async () => {
  const { call } = api.visitor();
  const body = { referrer_id: 'somebody', access_code: 'GUESS' };
  for (let times = 0; times < 60; times++) await call(trackAccess, { body });
  await expectRefused(call(trackAccess, { body }), 429, { code: 'rate_limited' });
});
