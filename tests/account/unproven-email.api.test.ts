import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { deleteAccount } from '#shared/account/contract.ts';
import type { UserRow } from '#shared/server/collections.ts';
import type { AdvertiserRow } from '../../api/features/advertisers/collections.ts';
import { signUp, type Advertiser } from '../advertisers/sign-up.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { unzip } from './unzip.ts';

let api: TestApi;
let advertiserAccount: Advertiser;
let impostor: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
beforeEach(async () => {
  advertiserAccount = await signUp(api);
  // Signed up at the provider with an address that was never verified.
  impostor = await api.as(advertiserAccount.email, { access: false });
  await api.db
    .collection<UserRow>('users')
    .updateOne({ _id: impostor.user.id }, { $set: { email_verified: false } });
});
afterAll(() => api.close());

const advertiser = () =>
  api.db.collection<AdvertiserRow>('advertisers').findOne({ _id: advertiserAccount.id });

test('does not export data that belongs to an unverified email', async () => {
  const response = await impostor.jar.fetch(`${api.origin}/api/account/export`);
  const archive = unzip(Buffer.from(await response.arrayBuffer()));
  const read = (name: string) =>
    JSON.parse(Buffer.from(archive.get(name) ?? []).toString()) as Record<string, unknown>;
  expect(read('advertising.json')).toMatchObject({ companies: [], payments: [] });
  expect(read('user.json')).toMatchObject({ id: impostor.user.id, email: advertiserAccount.email });
});

test('does not delete data that belongs to an unverified email', async () => {
  const before = await advertiser();
  expect(before).toMatchObject({ email: advertiserAccount.email });
  await impostor.call(deleteAccount, { body: { confirmation: 'delete my account' } });
  expect(await advertiser()).toEqual(before);
});
