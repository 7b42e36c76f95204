import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { deleteAccount } from '#shared/account/contract.ts';
import { auditLog, deleteSaved, listSaved, save, type SavedKind } from '#shared/admin/contract.ts';
import { SAVED_MAX } from '#shared/admin/rules.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
let ann: TestPerson;
let bo: TestPerson;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'), {
    ADMIN_EMAILS: 'admin@example.com, bo@example.com, cy@example.com',
  });
  ann = await api.asAdmin();
  bo = await api.as('bo@example.com');
});
afterAll(() => api.close());

const namesOf = async ({ call }: TestPerson, kind: SavedKind) =>
  (await call(listSaved, { query: { kind } })).saved.map(({ name, text }) => `${name}: ${text}`);
const store = ({ call }: TestPerson, kind: SavedKind, name: string, text: string) =>
  call(save, { body: { kind, name, text } });

test('a view is its admin’s own, and goes with the account', async () => {
  await store(ann, 'view', 'Expired', 'status=expired&tab=access-codes');
  await store(bo, 'view', 'Mine', 'tab=people');
  expect(await namesOf(ann, 'view')).toEqual(['Expired: status=expired&tab=access-codes']);
  const [theirs] = (await bo.call(listSaved, { query: { kind: 'view' } })).saved;
  await expectRefused(ann.call(deleteSaved, { params: { id: theirs?.id ?? '' } }), 404);
  await bo.call(deleteAccount, { body: { confirmation: 'delete my account' } });
  expect(await api.db.collection('admin_saved').countDocuments({ name: 'Mine' })).toBe(0);
});

test('a text is for all admins, and saving under its name in any case replaces it', async () => {
  const other = await api.as('cy@example.com');
  await store(ann, 'reason', 'Spam', 'Please stop.');
  await store(other, 'reason', 'spam', 'Please stop advertising.');
  expect(await namesOf(ann, 'reason')).toEqual(['spam: Please stop advertising.']);
  expect(await namesOf(ann, 'answer')).toEqual([]);
  const [text] = (await other.call(listSaved, { query: { kind: 'reason' } })).saved;
  await other.call(deleteSaved, { params: { id: text?.id ?? '' } });
  expect(await namesOf(ann, 'reason')).toEqual([]);
  // With who did it and what it said before.
  const { entries } = await ann.call(auditLog, { query: { subject_id: text?.id ?? '' } });
  const told = entries.map(({ act, admin_user_id, before, after }) => ({
    act,
    admin_user_id,
    before,
    after,
  }));
  const [first, last] = [
    { name: 'Spam', text: 'Please stop.' },
    { name: 'spam', text: 'Please stop advertising.' },
  ];
  const [annId, otherId] = [ann.user.id, other.user.id];
  expect(told).toEqual([
    { act: 'template.delete', admin_user_id: otherId, before: last, after: null },
    { act: 'template.update', admin_user_id: otherId, before: first, after: last },
    { act: 'template.create', admin_user_id: annId, before: null, after: first },
  ]);
});

test('refuses more than the most, and texts without a name', async () => {
  for (let count = 0; count < SAVED_MAX; count++) await store(ann, 'answer', `A ${count}`, 'No.');
  await expectRefused(store(ann, 'answer', 'One more', 'No.'), 409);
  await store(ann, 'answer', 'A 0', 'Yes.');
  await expectRefused(store(ann, 'reason', ' ', 'No.'), 400);
});
