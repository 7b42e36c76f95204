import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { deleteAccount } from '#shared/account/contract.ts';
import type { UserRow } from '#shared/server/collections.ts';
import type { AdvertiserRow } from '../../api/advertisers/collections.ts';
import { signUp, type Advertiser } from '../advertisers/sign-up.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { unzip } from './unzip.ts';

let api: TestApi;
let shop: Advertiser;
let impostor: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
beforeEach(async () => {
  shop = await signUp(api);
  // Signed up at the provider under an address whose mailbox they never opened.
  impostor = await api.as(shop.email, { access: false });
  await api.db
    .collection<UserRow>('users')
    .updateOne({ _id: impostor.user.id }, { $set: { email_verified: false } });
});
afterAll(() => api.close());

const advertiser = () => api.db.collection<AdvertiserRow>('advertisers').findOne({ _id: shop.id });

test('whoever never proved an address takes nothing along that belongs to it', async () => {
  const response = await impostor.jar.fetch(`${api.origin}/api/account/export`);
  const archive = unzip(Buffer.from(await response.arrayBuffer()));
  const read = (name: string) =>
    JSON.parse(Buffer.from(archive.get(name) ?? []).toString()) as Record<string, unknown>;
  expect(read('advertising.json')).toMatchObject({ companies: [], payments: [] });
  expect(read('user.json')).toMatchObject({ id: impostor.user.id, email: shop.email });
});

test('nor does it go with their account', async () => {
  const before = await advertiser();
  expect(before).toMatchObject({ email: shop.email });
  await impostor.call(deleteAccount, { body: { confirmation: 'delete my account' } });
  expect(await advertiser()).toEqual(before);
});
