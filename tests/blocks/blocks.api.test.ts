import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createBlock, deleteBlock, listBlocks } from '#shared/blocks/contract.ts';
import { sendMessage } from '#shared/chat/contract.ts';
import { deleteFriend } from '#shared/friends/contract.ts';
import { readContacts } from '#shared/friends/document.ts';
import { blockedWith } from '../../api/features/blocks/store.ts';
import { pairs } from '../../api/features/relationships/collections.ts';
import type { PairRow } from '../../api/features/relationships/collections.ts';
import { noRelationship } from '../../api/features/relationships/relationship.ts';
import type { CallError } from '../../client/platform/http/api-client.ts';
import { startTestApi, type TestApi } from '../api.ts';
import { makeProfile } from '../factories.ts';
import { befriend } from '../friends/befriend.ts';
import { expectRefused } from '../refusals.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

test('blocks and unblocks a user, updates the contacts document, and notifies no one', async () => {
  const alex = await api.as('alex@example.com');
  const sam = await api.as('sam@example.com');
  await makeProfile(sam, { display_name: 'Sam the Walker' });
  const { block } = await alex.call(createBlock, {
    body: { blocked_user_id: sam.user.id, reason: '  Too loud ' },
  });
  expect(block).toMatchObject({
    blocker_user_id: alex.user.id,
    blocked_user_id: sam.user.id,
    blocked_user_name: 'Sam the Walker',
    reason: 'Too loud',
  });
  expect(await alex.call(listBlocks)).toEqual({ blocks: [block] });
  expect(await sam.call(listBlocks)).toEqual({ blocks: [] });
  expect(readContacts(await api.document(alex.user.documents.contacts)).blocked).toMatchObject([
    { user_id: sam.user.id, name: 'Sam the Walker', at: block.created_at },
  ]);
  expect(await api.document(sam.user.documents.contacts)).toMatchObject({ people: {} });

  const params = { blockedUserId: sam.user.id };
  expect(await alex.call(deleteBlock, { params })).toEqual({});
  expect(await alex.call(listBlocks)).toEqual({ blocks: [] });
  expect(readContacts(await api.document(alex.user.documents.contacts)).blocked).toEqual([]);
  expect(await api.document(sam.user.documents.contacts)).toMatchObject({ people: {} });
  await expectRefused(alex.call(deleteBlock, { params }), 404, { error: 'Block not found' });
});

test('blocking again returns the first block, even concurrently', async () => {
  const alex = await api.as('twice@example.com');
  const sam = await api.as('sam@example.com');
  const body = { blocked_user_id: sam.user.id };
  const [first, second] = await Promise.all([
    alex.call(createBlock, { body }),
    alex.call(createBlock, { body }),
  ]);
  expect(second).toEqual(first);
  expect(await alex.call(createBlock, { body })).toEqual(first);
  expect((await alex.call(listBlocks)).blocks).toHaveLength(1);
});

test('a blocked user can’t remove the block', async () => {
  const alex = await api.as('firm@example.com');
  const sam = await api.as('sam@example.com');
  await alex.call(createBlock, { body: { blocked_user_id: sam.user.id } });
  await expectRefused(sam.call(deleteBlock, { params: { blockedUserId: alex.user.id } }), 404);
  expect((await alex.call(listBlocks)).blocks).toHaveLength(1);
});

test('refuses to block unknown users, oneself, and invalid input', async () => {
  const alex = await api.as('careful@example.com');
  await expectRefused(alex.call(createBlock, { body: { blocked_user_id: 'nobody' } }), 404, {
    error: 'User not found',
  });
  await expectRefused(alex.call(createBlock, { body: { blocked_user_id: alex.user.id } }), 400, {
    error: 'You can’t block yourself',
  });
  await expectRefused(alex.call(createBlock, { body: { blocked_user_id: '' } }), 400, {
    fields: { blocked_user_id: 'Required' },
  });
  await expectRefused(
    alex.call(createBlock, { body: { blocked_user_id: 'x', reason: 'x'.repeat(201) } }),
    400,
    { fields: { reason: 'Invalid input' } },
  );
});

test('a block signals the servers of both users', async () => {
  const alex = await api.as('signals@example.com');
  const sam = await api.as('sam@example.com');
  await alex.call(createBlock, { body: { blocked_user_id: sam.user.id } });
  const signals = await api.db
    .collection('signals')
    .find({ topic: 'blocks', user_id: { $in: [alex.user.id, sam.user.id] } })
    .toArray();
  expect(new Set(signals.map((signal) => signal['user_id'] as string))).toEqual(
    new Set([alex.user.id, sam.user.id]),
  );
});

test('a block applies in both directions', async () => {
  const client = await MongoClient.connect(inject('mongodbUri'));
  const db = client.db(`${api.db.databaseName}-both`);
  try {
    const row = (
      one: string,
      other: string,
      relationship: PairRow['relationship'] = 'blocked',
    ) => ({
      ...noRelationship(one, other),
      relationship,
    });
    await pairs(db).insertMany([
      row('a', 'b'),
      row('c', 'a'),
      row('d', 'e'),
      row('a', 'x', 'friends'),
    ]);
    expect(await blockedWith(db, ['a', 'b', 'x'])).toEqual(
      new Map([
        ['a', new Set(['b', 'c'])],
        ['b', new Set(['a'])],
      ]),
    );
  } finally {
    await db.dropDatabase();
    await client.close();
  }
});

test('a block of a friend looks like the end of the friendship to the blocked one', async () => {
  const ann = await api.as('ends@example.com');
  await makeProfile(ann, { display_name: 'Ann' });
  const [removed, blocked] = [
    await api.as('removed@example.com'),
    await api.as('blocked@example.com'),
  ];
  for (const friend of [removed, blocked]) {
    await makeProfile(friend, { display_name: 'Friend' });
    await befriend(ann, friend);
  }
  await ann.call(deleteFriend, { params: { friendUserId: removed.user.id } });
  await ann.call(createBlock, { body: { blocked_user_id: blocked.user.id } });
  const body = { receiver_user_id: ann.user.id, message_text: 'Hello?' };
  const [afterRemoval, afterBlock] = await Promise.all(
    [removed, blocked].map(async ({ call, user }) => ({
      contacts: JSON.stringify(await api.document(user.documents.contacts)).replaceAll(user.id, ''),
      refusal: await call(sendMessage, { body }).catch((error: CallError) => error.message),
    })),
  );
  expect(afterBlock!.contacts).toEqual(afterRemoval!.contacts);
  expect(afterBlock!.refusal).toEqual(afterRemoval!.refusal);
});
