import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { MUTED_MAX } from '#shared/push/rules.ts';
import { cards } from '../../api/features/profile/collections.ts';
import { createChoices } from '../../api/platform/push/choices.ts';
import { users } from '../../api/platform/session/collections.ts';
import { createSyncServerClient } from '../../api/platform/sync-server-client.ts';
import { SECRET, startTestApi, type TestApi } from '../api.ts';
import { createMember } from '../chat/talk.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

test('choices about pushes come from the row of the card at once, and from the account where it has none', async () => {
  const { user } = await createMember(api, 'Ann');
  const documents = createSyncServerClient(api.env['SYNC_INTERNAL_URL']!, SECRET);
  let reads = 0;
  const read = (id: string) => {
    reads++;
    return documents.read(id);
  };
  const row = (await users(api.db).findOne({ _id: user.id }))!;
  const choices = async () => (await createChoices(api.db, { read })(row._id))(row);
  const account = user.documents.account;
  await api.change(account, 'push.save', { push_messages: false });
  await api.change(account, 'push.mute', { user_id: 'bob', is_muted: true });
  expect(await choices()).toMatchObject({ push_messages: false, muted: new Set(['bob']) });
  expect(reads).toBe(0);

  // A row of an earlier version.
  await cards(api.db).updateOne({ _id: user.id }, { $unset: { push: '' } });
  expect(await choices()).toMatchObject({ push_messages: false, muted: new Set(['bob']) });
  expect(reads).toBe(1);
  // The sync server writes it, because it has opened the account.
  const stored = () => cards(api.db).findOne({ _id: user.id });
  await expect.poll(stored).toMatchObject({ push: { push_messages: false, muted: ['bob'] } });
  expect(await choices()).toMatchObject({ push_messages: false, muted: new Set(['bob']) });
  expect(reads).toBe(1);

  // A sync server of an earlier version wrote the row, but not these choices.
  await cards(api.db).updateOne(
    { _id: user.id },
    { $set: { 'push.muted': [] }, $inc: { push_operations: -1 } },
  );
  expect((await choices()).muted).toEqual(new Set(['bob']));
  expect(reads).toBe(2);
  await expect.poll(stored).toMatchObject({ push: { muted: ['bob'] } });

  // More people than a row has room for.
  const others = Array.from({ length: 51 }, (_, i) => `person-${i}`);
  expect(others.length).toBeLessThan(MUTED_MAX);
  for (const user_id of others) await api.change(account, 'push.mute', { user_id, is_muted: true });
  expect((await choices()).muted.size).toBe(52);
  expect(reads).toBe(3);
  await api.change(account, 'push.mute', { user_id: 'person-1', is_muted: false });
  await api.change(account, 'push.mute', { user_id: 'person-2', is_muted: false });
  expect((await choices()).muted.has('person-3')).toBe(true);
  expect(reads).toBe(3);
});
