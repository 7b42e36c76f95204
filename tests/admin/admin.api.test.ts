import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { listCodes } from '#shared/access-gate/admin-contract.ts';
import { adminCheck } from '#shared/admin/contract.ts';
import { listDogs } from '#shared/dogs/contract.ts';
import { startTestApi, type TestApi } from '../api.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'), {
    ADMIN_EMAILS: 'Boss@example.com, admin@example.com',
  });
});
afterAll(() => api.close());

test('tells whether a user is an admin', async () => {
  const boss = await api.as('boss@example.com', { access: false });
  expect(await boss.call(adminCheck)).toEqual({ isAdmin: true, email: 'boss@example.com' });
  const owner = await api.as('owner@example.com', { access: false });
  expect(await owner.call(adminCheck)).toEqual({ isAdmin: false, email: 'owner@example.com' });
});

test('admins pass the gate without a code', async () => {
  const boss = await api.as('boss@example.com', { access: false });
  expect(boss.user).toMatchObject({ has_access: true, access_expires_at: null });
  expect(await boss.call(listDogs)).toEqual({ dogs: [] });
});

test('removes admin rights on restart from users who are no longer listed', async () => {
  const boss = await api.as('boss@example.com', { access: false });
  const users = api.db.collection('users');
  // Simulates that ADMIN_EMAILS lists another address, and one that is not verified.
  await users.updateOne({ email: 'boss@example.com' }, { $set: { email: 'left@example.com' } });
  const unverified = await api.as('admin@example.com', { access: false });
  await users.updateOne({ email: 'admin@example.com' }, { $set: { email_verified: false } });
  await api.restartApi();
  await expectRefused(boss.call(listCodes), 403, { code: 'not_admin' });
  await expectRefused(unverified.call(listCodes), 403, { code: 'not_admin' });
});
