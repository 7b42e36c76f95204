import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { CardRow } from '#shared/server/collections.ts';
import * as contract from '#shared/sync/contract.ts';
import { startTestSync, type TestSync } from '../sync.ts';

let sync: TestSync;
beforeAll(async () => {
  sync = await startTestSync(inject('mongodbUri'));
});
afterAll(() => sync.close());

/** An owner with a card's row and an account that mutes Bob. */
async function muting() {
  const owner = await sync.user();
  const [card, account] = [await sync.document(owner, 'card'), await sync.document(owner)];
  const change = (documentId: string, name: string, input: object) =>
    sync.call(contract.changeDocument, { params: { documentId }, body: { name, input } });
  const cards = sync.db.collection<CardRow>('cards');
  const row = () => cards.findOne({ _id: owner.id });
  await change(card, 'profile.save', { display_name: 'Sam' });
  await expect.poll(row).toMatchObject({ display_name: 'Sam' });
  await change(account, 'push.mute', { user_id: 'bob', is_muted: true });
  await expect.poll(row).toMatchObject({ push: { muted: ['bob'] } });
  return {
    row,
    change: (changes: object) => cards.updateOne({ _id: owner.id }, changes),
    mute: (user_id: string) => change(account, 'push.mute', { user_id, is_muted: true }),
    open: () => sync.call(contract.readDocument, { params: { documentId: account } }),
  };
}

test('a row that lacks what an account chose about pushes gets it when the account is opened', async () => {
  const { row, change, open } = await muting();
  const before = await row();
  await change({ $unset: { push: '', push_operations: '' } });
  await open();
  await expect.poll(row).toEqual(before);
});

test('a row that a node of an earlier version left behind is written when the account is opened', async () => {
  const { row, change, mute, open } = await muting();
  const { push, push_operations, sharing_operations } = (await row())!;
  await mute('kim');
  await expect.poll(row).toMatchObject({ push: { muted: ['bob', 'kim'] } });
  const after = await row();
  // That node wrote nothing of the last change.
  await change({ $set: { push, push_operations, sharing_operations } });
  await open();
  await expect.poll(row).toEqual(after);
});

test('a row of a larger account stays as it is', async () => {
  const { row, change, open, mute } = await muting();
  const ahead = { push_operations: 1_000, sharing_operations: 1_000 };
  await change({ $set: ahead });
  await open();
  await mute('kim');
  await open();
  expect(await row()).toMatchObject({ ...ahead, push: { muted: ['bob'] } });
});
