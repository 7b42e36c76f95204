import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createCode } from '#shared/access-gate/admin-contract.ts';
import { getAccess, validateCode } from '#shared/access-gate/contract.ts';
import { createDonation, processDonation } from '#shared/payments/contract.ts';
import { me } from '#shared/session/contract.ts';
import { DAY_MS, HOUR_MS } from '#shared/time.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { walletToken } from '../payments/pay.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

const endAccess = async ({ user }: TestPerson, access_expires_at: Date) => {
  await api.db
    .collection<{ _id: string }>('users')
    .updateOne({ _id: user.id }, { $set: { access_expires_at } });
  await announce(user.id);
};
/** Makes the API read the user again. */
const announce = (user_id: string) =>
  api.db.collection('signals').insertOne({ topic: 'user', user_id, at: new Date() });
const mails = (to: string) =>
  api.db.collection('sandbox_sent').find({ 'message.to': to }).toArray();
const subjects = async (to: string) =>
  (await mails(to)).map((row) => String(row['message'].subject));
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

describe('the state of access', () => {
  test('says when and why access ended', async () => {
    const never = await api.as('never@example.com', { access: false });
    expect(await never.call(getAccess)).toMatchObject({
      state: 'never',
      ends_at: null,
      reason: null,
    });
    const person = await api.as('over@example.com');
    expect(await person.call(getAccess)).toMatchObject({ state: 'active', reason: null });
    const end = new Date(Date.now() - HOUR_MS);
    await endAccess(person, end);
    await expect
      .poll(() => person.call(getAccess))
      .toMatchObject({
        state: 'ended',
        ends_at: end.toISOString(),
        reason: 'expired',
        access_code: null,
      });
    const admin = await api.asAdmin();
    const revoked = await api.as('withdrawn@example.com', { access: false });
    const { accessCode } = await admin.call(createCode, { body: { code: 'WITHDRAWN-CODE' } });
    await revoked.call(validateCode, { body: { code: accessCode.code } });
    const revoked_at = new Date();
    await api.db
      .collection<{ _id: string }>('access_codes')
      .updateOne({ _id: accessCode.id }, { $set: { is_active: false, revoked_at } });
    await api.db
      .collection<{ _id: string }>('users')
      .updateOne({ _id: revoked.user.id }, { $set: { access_expires_at: null } });
    await announce(revoked.user.id);
    await expect
      .poll(() => revoked.call(getAccess))
      .toMatchObject({
        state: 'ended',
        ends_at: revoked_at.toISOString(),
        reason: 'withdrawn',
      });
  });

  test('a donor gets the code and a receipt by email, once', async () => {
    const donor = await api.as('donor@example.com', { access: false });
    const { donation } = await donor.call(createDonation, { body: { amount_cents: 100 } });
    const { access_code } = await donor.call(processDonation, {
      body: { donation_id: donation.id, payment_token: await walletToken(api, 'pays') },
    });
    await donor.call(validateCode, { body: { code: access_code ?? '' } });
    const access = await donor.call(getAccess);
    expect(access).toMatchObject({
      state: 'active',
      access_code,
      donation: { id: donation.id, amount_cents: 100, payment_status: 'completed' },
    });
    await api.runJobs();
    await expect.poll(() => subjects('donor@example.com')).toHaveLength(1);
    const [{ message } = { message: { text: '' } }] = await mails('donor@example.com');
    for (const words of [access_code ?? '-', donation.id, '$1'])
      expect(String(message.text)).toContain(words);
  });
});

describe('reminders', () => {
  test('come 7 days and 1 day before access ends, once each, and not after a renewal', async () => {
    const week = await api.as('week@example.com');
    const day = await api.as('day@example.com');
    const later = await api.as('later@example.com');
    await endAccess(week, inDays(6.5));
    await endAccess(day, inDays(0.5));
    await endAccess(later, inDays(8));
    await api.runJobs();
    await expect.poll(() => subjects('week@example.com')).toHaveLength(1);
    await expect.poll(() => subjects('day@example.com')).toHaveLength(1);
    expect((await subjects('week@example.com'))[0]).toMatch(/^Your access to Leashwise ends on /);
    await endAccess(week, inDays(0.9));
    await api.runJobs();
    await expect.poll(() => subjects('week@example.com')).toHaveLength(2);
    expect(await subjects('day@example.com')).toHaveLength(1);
    expect(await subjects('later@example.com')).toEqual([]);

    const admin = await api.asAdmin();
    await admin.call(createCode, { body: { code: 'RENEWAL' } });
    await day.call(validateCode, { body: { code: 'RENEWAL' } });
    expect(Date.parse((await day.call(me)).access_expires_at ?? '')).toBeGreaterThan(
      inDays(29).getTime(),
    );
    await api.runJobs();
    await expect
      .poll(() => api.db.collection('users').countDocuments({ access_reminded_days: 1 }))
      .toBe(1);
    expect(await subjects('day@example.com')).toHaveLength(1);
  });
});
