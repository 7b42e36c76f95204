import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { validateCode } from '#shared/access-gate/contract.ts';
import { deleteAccount } from '#shared/account/contract.ts';
import { createDonation } from '#shared/payments/contract.ts';
import { tokenHash } from '#shared/server/collections.ts';
import { createSession } from '#shared/session/contract.ts';
import type { DonationRow } from '../../api/features/payments/collections.ts';
import { sandboxSent } from '../../api/platform/mail-queue/collections.ts';
import { findTracesIn } from '../account/find-personal-data.ts';
import { codeFor, startTestApi, type TestApi } from '../api.ts';
import { handIn, walletToken } from './pay.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

test('deleting an account keeps its payment and removes everything about the donor', async () => {
  const email = 'donor-who-goes@example.com';
  const payer = api.visitor();
  const give = async (by = payer, as = email) =>
    (await by.call(createDonation, { body: { amount_cents: 100, email: as } })).donation.id;
  const id = await give();
  // In another browser, and capitalized as by a phone's keyboard.
  const other = await give(api.visitor(), 'Donor-Who-Goes@Example.com');
  const code = (await handIn(payer, id, await walletToken(api, 'pays'))).access_code ?? '';
  await payer.call(validateCode, { body: { code } });
  const donations = api.db.collection<DonationRow>('donations');
  expect((await donations.findOne({ _id: id }))?.user_id).toBeNull();
  // One that is sent during the deletion is deleted a minute later.
  await expect.poll(() => sandboxSent(api.db).countDocuments({ 'message.to': email })).toBe(1);

  // Signing in assigns the browser's earlier donations to the user.
  const { user } = await payer.call(createSession, {
    body: await codeFor(api.origin, payer.call, email),
  });
  const row = await donations.findOne({ _id: id });
  expect(row?.user_id).toBe(user.id);
  const marks = [user.id, email, tokenHash(payer.jar.cookies.get('leashwise-donor') ?? '')];
  expect(await findTracesIn(api.db, marks)).toContain(`donations: "${id}"`);

  await payer.call(deleteAccount, { body: { confirmation: 'delete my account' } });
  // The account's row is deleted a minute later, and signals expire.
  const left = await findTracesIn(api.db, marks);
  expect(await donations.findOne({ _id: other })).toMatchObject({ email: null, holder: '' });
  expect(left.filter((trace) => !trace.startsWith('signals: '))).toEqual([`users: "${user.id}"`]);
  expect(await donations.findOne({ _id: id })).toMatchObject({
    amount_cents: 100,
    payment_status: 'completed',
    email: null,
    user_id: null,
    ip_address: '',
    user_agent: '',
  });
});
