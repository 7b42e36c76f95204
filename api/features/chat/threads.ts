import type { ChangeInput } from '#shared/document-kinds.ts';
import { newId } from '#shared/ids.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import type { Services } from '../../platform/services.ts';
import { NOT_DELETED, users as userRows } from '../../platform/session/collections.ts';
import { newDocumentId } from '../../platform/sync-server-client.ts';
import { changeDocumentOf, ensureDocuments } from '../../platform/user-documents.ts';
import { type PairRow, pairs } from '../relationships/collections.ts';
import { blockBy, earlierViewOf, otherOf, pairId, viewOf } from '../relationships/relationship.ts';
import { removeFiles } from './attachments.ts';
import {
  drafts,
  isOpenTo,
  messages,
  openTo,
  type SegmentRow,
  type ThreadRow,
  threads,
} from './collections.ts';
import { hashThread } from './removed-message-hashes.ts';
import { documentsOf } from './segment-documents.ts';

/** Concurrent document calls per thread. */
const AT_ONCE = 8;
/** Versions in contacts documents combine the pair’s version with the thread’s revision. */
const REVISIONS = 1_000_000;

/**
 * Returns the next segments of a thread, one per user, whose documents don’t exist yet.
 * @param after the highest `seq` before
 */
export const newSegment = (users: readonly string[], after: number): SegmentRow => ({
  documents: Object.fromEntries(users.map((user) => [user, newDocumentId()])),
  after,
  is_made: false,
});

/**
 * Updates the thread of two users to their relationship: friends have one that both can write, former friends one that
 * no one can read, and a block removes everything, at once or when its blocked user is to see the end. May be repeated,
 * late and in any order: it uses the pair’s current state.
 * @param from the number of the first segment to update; a retry updates all
 * @throws HttpError 503 when the sync server is unavailable; the background job retries
 */
export async function reconcileThread(services: Services, id: string, from = 1): Promise<void> {
  for (let first = from; ; first = 1) {
    const pair = await pairs(services.db).findOne({ _id: id });
    if (!pair?.earlier_view) await endOneSided(services, id, pair);
    const thread = await threadFor(services, id, pair);
    if (!thread) return;
    await carryOut(services, thread, first);
    const now = await pairs(services.db).findOne({ _id: id }, { projection: { version: 1 } });
    if (now?.version !== pair?.version) continue;
    if (pair) await updateContacts(services, pair, thread);
    await setSettled(services, thread);
    const live = await threads(services.db).findOne({ pair: id, is_live: true });
    // The segments changed in the meantime, or another server created a thread.
    if (!live || (live._id === thread._id && live.revision === thread.revision)) return;
  }
}

/** Removes a thread that was kept for a blocked user only, whatever the relationship is now. May be repeated. */
async function endOneSided(services: Services, id: string, pair: PairRow | null): Promise<void> {
  const thread = await threads(services.db).findOneAndUpdate(
    { pair: id, is_live: true, state: 'one_sided' },
    {
      $set: { state: 'removed', is_live: false, is_settled: false, changed_at: new Date() },
      $unset: { open_for: '' },
    },
    { returnDocument: 'after' },
  );
  if (!thread) return;
  await carryOut(services, thread, 1);
  // A new friendship’s thread takes its place in the contacts documents.
  if (pair && pair.relationship !== 'friends') await updateContacts(services, pair, thread);
  await setSettled(services, thread);
}

const setSettled = ({ db }: Services, { _id, state, revision }: ThreadRow) =>
  threads(db).updateOne({ _id, state, revision }, { $set: { is_settled: true } });

const stateFor = (pair: PairRow | null): ThreadRow['state'] => {
  if (pair?.relationship === 'friends') return 'open';
  const view = pair?.earlier_view;
  if (view?.relationship === 'friends') return 'one_sided';
  // Messages stay after an unfriending. One’s own block removes them at once.
  if (pair && view?.was_friend && !blockBy(pair, view.user_id)) return 'one_sided';
  return pair && pair.relationship !== 'blocked' ? 'closed' : 'removed';
};

/** Returns the thread’s row with its new state; null if there is no thread and none is needed. */
async function threadFor(
  { db }: Services,
  pair: string,
  row: PairRow | null,
): Promise<ThreadRow | null> {
  const state = stateFor(row);
  const view = state === 'one_sided' ? row?.earlier_view : undefined;
  const openFor = view?.relationship === 'friends' ? view.user_id : undefined;
  const live = await threads(db).findOneAndUpdate(
    { pair, is_live: true },
    {
      $set: {
        state,
        is_live: state !== 'removed',
        is_settled: false,
        changed_at: new Date(),
        ...(openFor && { open_for: openFor }),
      },
      ...(!openFor && { $unset: { open_for: '' } }),
    },
    { returnDocument: 'after' },
  );
  if (live || state !== 'open' || !row)
    return live ?? threads(db).findOne({ pair, is_settled: false });
  const thread: ThreadRow = {
    _id: newId(),
    pair,
    users: row.users,
    state,
    is_live: true,
    segments: [newSegment(row.users, 0)],
    revision: 0,
    is_settled: false,
    is_shown: false,
    changed_at: new Date(),
  };
  try {
    await threads(db).insertOne(thread);
    return thread;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    return threads(db).findOne({ pair, is_live: true });
  }
}

/** Removes the rest of a thread that a block ended. May be repeated. */
export async function endThread(services: Services, thread: ThreadRow): Promise<void> {
  await carryOut(services, thread, 1);
  await threads(services.db).updateOne(
    { _id: thread._id, state: 'removed' },
    { $set: { is_settled: true } },
  );
}

const isOpenToSomeone = (thread: ThreadRow): boolean =>
  thread.users.some((user) => isOpenTo(thread, user));

/** Creates the documents from a number on, with access rights; or removes all. */
async function carryOut(services: Services, thread: ThreadRow, from: number): Promise<void> {
  const { documents, db } = services;
  if (thread.state === 'removed') {
    await hashThread(services, thread._id);
    await inTurns(documentsOf(thread), async (id) => void (await documents.remove(id)));
    await forgetCalls(services, thread);
    await removeFiles(services, thread);
    await messages(db).deleteMany({ thread_id: thread._id });
    return;
  }
  const all = thread.segments.flatMap((segment, i) =>
    thread.users.map((user) => ({
      segment,
      number: i + 1,
      user,
      id: segment.documents[user] ?? '',
    })),
  );
  const isWritable = isOpenToSomeone(thread);
  const notYet = isWritable ? all.filter(({ number }) => number >= from) : all;
  await inTurns(notYet, async ({ segment, number, user, id }) => {
    const friend = otherOf(thread, user);
    const place = { thread_id: thread._id, number, friend_user_id: friend, after: segment.after };
    if (!segment.is_made) await documents.create(id, 'segment', user, new Date(), place);
    const readers = isOpenTo(thread, friend) ? [friend] : [];
    await documents.setReaders(id, readers, { is_frozen: !isOpenTo(thread, user) });
  });
  if (thread.segments.every(({ is_made }) => is_made)) return;
  await threads(db).updateOne(
    { _id: thread._id, revision: thread.revision },
    { $set: { 'segments.$[].is_made': true } },
  );
}

/** Stored responses of idempotent calls contain messages, too. */
async function forgetCalls({ idempotency }: Services, thread: ThreadRow): Promise<void> {
  for (const user of thread.users)
    await idempotency.forget(user, { 'answer.message.receiver_user_id': otherOf(thread, user) });
}

async function inTurns<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let next = left.pop(); next; next = left.pop()) await work(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/**
 * Updates the thread in both contacts documents. If they never listed it, nothing is written: a write would reveal a
 * block.
 */
async function updateContacts(services: Services, pair: PairRow, thread: ThreadRow): Promise<void> {
  const { db } = services;
  const isOpen = isOpenToSomeone(thread);
  if (!isOpen && !thread.is_shown) return;
  const note = (is_shown: boolean) =>
    threads(db).updateOne({ _id: thread._id }, { $set: { is_shown } });
  if (isOpen) await note(true);
  const people = await userRows(db)
    .find({ _id: { $in: pair.users }, ...NOT_DELETED })
    .toArray();
  for (const person of people) {
    await ensureDocuments(services, person);
    const seen = threadSeen(pair, thread, person._id);
    await changeDocumentOf(services, person, { kind: 'contacts', name: 'thread.set', input: seen });
    // Only theirs who blocked: an unfriending removes no drafts.
    if (!isOpenTo(thread, person._id) && blockBy(pair, person._id))
      await forgetDraft(services, person, otherOf(pair, person._id));
  }
  if (!isOpen) await note(false);
}

/**
 * Removes a draft to someone who can’t be written to anymore. An owner’s full document may reject the change; that must
 * not delay a block or deletion.
 */
export async function forgetDraft(
  services: Services,
  user: UserRow,
  friend_user_id: string,
): Promise<void> {
  const { db, log } = services;
  await drafts(db).deleteOne({ user_id: user._id, friend_user_id });
  const change = { friend_user_id, text: '', at: new Date().toISOString() };
  await changeDocumentOf(services, user, {
    kind: 'account',
    name: 'draft.set',
    input: change,
  }).catch((err: unknown) =>
    log.warn({ err, document: user.documents.account }, 'could not remove a draft'),
  );
}

/** Returns the thread for one user’s contacts document. */
export function threadSeen(
  pair: PairRow,
  thread: ThreadRow,
  userId: string,
): ChangeInput<'contacts', 'thread.set'> {
  const friend_user_id = otherOf(pair, userId);
  // Someone who doesn’t see a block yet gets no change because of it.
  const { version } = earlierViewOf(pair, userId) ?? pair;
  const whose = { friend_user_id, version: version * REVISIONS + thread.revision };
  if (!isOpenTo(thread, userId)) return { ...whose, thread_id: null, segments: {} };
  const url = (segment: SegmentRow, user: string) => `automerge:${segment.documents[user] ?? ''}`;
  const segments = Object.fromEntries(
    thread.segments.map((segment, i) => [
      i + 1,
      { mine: url(segment, userId), theirs: url(segment, friend_user_id) },
    ]),
  );
  return { ...whose, thread_id: thread._id, segments };
}

/**
 * Returns the thread of a user with a friend, created if needed; null if the user doesn’t see a friend.
 * @throws HttpError 503 when the sync server is unavailable
 */
export async function threadOf(
  services: Services,
  one: string,
  other: string,
): Promise<ThreadRow | null> {
  const id = pairId(one, other);
  const pair = await pairs(services.db).findOne({ _id: id });
  if (!pair || viewOf(pair, one).relationship !== 'friends') return null;
  const wanted = {
    pair: id,
    ...openTo(one),
    is_live: true,
    'segments.is_made': { $ne: false },
  };
  const thread = await threads(services.db).findOne(wanted);
  if (thread) return thread;
  await reconcileThread(services, id);
  return threads(services.db).findOne(wanted);
}
