import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createBlock, deleteBlock, listBlocks } from '#shared/blocks/contract.ts';
import {
  createFriendRequest,
  deleteFriend,
  listFriendRequests,
  listFriends,
  respondToFriendRequest,
  withdrawFriendRequest,
} from '#shared/friends/contract.ts';
import { readContacts } from '#shared/friends/document.ts';
import type { PairRow } from '../../api/features/relationships/collections.ts';
import {
  pairId,
  applyAction,
  noRelationship,
  viewOf,
  type Act,
} from '../../api/features/relationships/relationship.ts';
import { CallError } from '../../client/platform/http/api-client.ts';
import { startTestApi, type TestApi, type TestPerson } from '../api.ts';
import { makeProfile } from '../factories.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi(inject('mongodbUri'));
});
afterAll(() => api.close());

const PATIENCE_MS = 180_000;
const KINDS = ['request', 'withdraw', 'accept', 'deny', 'remove', 'block', 'unblock'] as const;
interface Step {
  by: 0 | 1;
  kind: (typeof KINDS)[number];
  /** Whether the next step starts without waiting for this one. */
  hurries: boolean;
  /** After how many more steps the call is repeated with the same key. */
  repeatAfter: number | null;
}
const story: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    by: fc.constantFrom(0, 1),
    kind: fc.constantFrom(...KINDS),
    hurries: fc.boolean(),
    repeatAfter: fc.option(fc.integer({ min: 0, max: 4 })),
  }),
  { minLength: 1, maxLength: 8 },
);

type Two = [TestPerson, TestPerson];
let count = 0;
async function twoPeople(): Promise<Two> {
  const names = ['Alex', 'Sam'];
  const two = await Promise.all(
    names.map(async (display_name) => {
      const person = await api.as(`${display_name}.${++count}@example.com`);
      await makeProfile(person, { display_name });
      return person;
    }),
  );
  return two as Two;
}

const rowOf = async ([one, other]: Two) => {
  const _id = pairId(one.user.id, other.user.id);
  return (
    (await api.db.collection<PairRow>('pairs').findOne({ _id })) ??
    noRelationship(one.user.id, other.user.id)
  );
};

/** Creates a call that always uses the same key. */
function callOf(two: Two, { by, kind }: Step, request_id: string): () => Promise<boolean> {
  const me = two[by];
  const other = two[1 - by]?.user.id ?? '';
  const idempotencyKey = randomUUID();
  const calls = {
    request: () =>
      me.call(createFriendRequest, { body: { receiver_user_id: other }, idempotencyKey }),
    accept: () =>
      me.call(respondToFriendRequest, { body: { request_id, action: 'accept' }, idempotencyKey }),
    deny: () =>
      me.call(respondToFriendRequest, { body: { request_id, action: 'deny' }, idempotencyKey }),
    withdraw: () =>
      me.call(withdrawFriendRequest, { params: { receiverUserId: other }, idempotencyKey }),
    remove: () => me.call(deleteFriend, { params: { friendUserId: other }, idempotencyKey }),
    block: () => me.call(createBlock, { body: { blocked_user_id: other }, idempotencyKey }),
    unblock: () => me.call(deleteBlock, { params: { blockedUserId: other }, idempotencyKey }),
  };
  return () =>
    calls[kind]().then(
      () => true,
      (error: unknown) => {
        if (error instanceof CallError && [404, 409].includes(error.status)) return false;
        throw error;
      },
    );
}

/** Expects that the row, both contacts documents, both users' lists, and the shared cards agree. */
async function expectAgreement(two: Two): Promise<void> {
  const row = await rowOf(two);
  expect(row.is_projected).toBe(true);
  for (const [i, me] of two.entries()) {
    const other = two[1 - i]?.user.id ?? '';
    const { relationship } = viewOf(row, me.user.id);
    const contacts = readContacts(await api.document(me.user.documents.contacts));
    const { friends } = await me.call(listFriends);
    const { received, sent } = await me.call(listFriendRequests);
    const { blocks } = await me.call(listBlocks);
    const listed = {
      friends: friends.map(({ friend_user_id }) => friend_user_id),
      received: received.map(({ sender_user_id }) => sender_user_id),
      sent: sent.map(({ receiver_user_id }) => receiver_user_id),
      blocked: blocks.map(({ blocked_user_id }) => blocked_user_id),
    };
    const expected = { friends: [], received: [], sent: [], blocked: [] };
    expect(listed).toEqual(
      relationship === 'none' ? expected : { ...expected, [relationship]: [other] },
    );
    const ids = (people: { user_id: string }[]) => people.map(({ user_id }) => user_id);
    expect({
      friends: ids(contacts.friends),
      received: ids(contacts.received),
      sent: ids(contacts.sent),
      blocked: ids(contacts.blocked),
    }).toEqual(listed);
    const seenBy = await api.db
      .collection<{ _id: string; owner_user_id: string }>('documents')
      .find({ subject_user_id: me.user.id })
      .toArray();
    expect(seenBy.map(({ owner_user_id }) => owner_user_id)).toEqual(
      relationship === 'friends' ? [other] : [],
    );
    const mine = await api.db
      .collection<{ _id: string }>('documents')
      .findOne({ owner_user_id: me.user.id, kind: 'friend_card' });
    expect(contacts.friends.map(({ card }) => card)).toEqual(mine ? [`automerge:${mine._id}`] : []);
  }
}

const requestOf = async (two: Two) => (await rowOf(two)).request?.id ?? 'none';

test(
  'all sources agree on a pair after concurrent, repeated, and late actions',
  async () => {
    const two = await twoPeople();
    await fc.assert(
      fc.asyncProperty(story, async (steps) => {
        const pending: Promise<boolean>[] = [];
        const late: { at: number; call: () => Promise<boolean> }[] = [];
        for (const [i, step] of steps.entries()) {
          const call = callOf(two, step, await requestOf(two));
          if (step.repeatAfter !== null) late.push({ at: i + step.repeatAfter, call });
          pending.push(call());
          for (const { at, call: again } of late) if (at === i) pending.push(again());
          if (!step.hurries) await Promise.all(pending);
        }
        await Promise.all(pending);
        await expectAgreement(two);
      }),
      { numRuns: 15 },
    );
  },
  PATIENCE_MS,
);

test(
  'sequential actions follow the rules of a pair, and late repeats change nothing',
  async () => {
    const two = await twoPeople();
    await fc.assert(
      fc.asyncProperty(story, async (steps) => {
        let model = await rowOf(two);
        const late: { at: number; call: () => Promise<boolean> }[] = [];
        for (const [i, step] of steps.entries()) {
          const request_id = await requestOf(two);
          const call = callOf(two, step, request_id);
          const settled = applyAction(model, {
            by: two[step.by].user.id,
            act: actOf(step, request_id),
            at: new Date(),
          });
          expect(await call()).toBe(settled.refused === null);
          // Refused calls are not stored, so repeating one would be a new attempt.
          if (step.repeatAfter !== null && !settled.refused)
            late.push({ at: i + step.repeatAfter, call });
          for (const { call: again } of late.filter(({ at }) => at === i))
            expect(await again()).toBe(true);
          model = settled.pair;
          const row = await rowOf(two);
          expect(row.relationship).toBe(model.relationship);
          model = row;
        }
        await expectAgreement(two);
      }),
      { numRuns: 10 },
    );
  },
  PATIENCE_MS,
);

function actOf({ kind }: Step, request_id: string): Act {
  if (kind === 'request') return { type: 'request', id: 'model', message: null };
  if (kind === 'accept' || kind === 'deny')
    return { type: 'answer', request_id, accept: kind === 'accept' };
  if (kind === 'block') return { type: 'block', id: 'm', blocked_user_name: '', reason: null };
  return { type: kind };
}
