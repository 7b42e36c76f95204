import type { Db } from 'mongodb';
import type { ChangeInput } from '#shared/document-kinds.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { noticeKey } from '#shared/push/contract.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/time.ts';
import { runOrRetrySoon } from '../../platform/background-jobs.ts';
import { forEachIsolated, runIsolated } from '../../platform/for-each-isolated.ts';
import type { Services } from '../../platform/services.ts';
import { NOT_DELETED, users as userRows } from '../../platform/session/collections.ts';
import { DocumentUnavailableError, newDocumentId } from '../../platform/sync-server-client.ts';
import { changeDocumentOf, ensureDocuments } from '../../platform/user-documents.ts';
import { addFirstMessages, removeFirstMessage } from '../chat/first-messages.ts';
import { reconcileThread } from '../chat/threads.ts';
import { namesOf } from '../profile/names.ts';
import { type PairRow, pairs as pairRows } from '../relationships/collections.ts';
import {
  otherOf,
  pairId,
  applyAction,
  earlierViewOf,
  storedCardOf,
  noRelationship,
  viewOf,
  type Act,
  type Refused,
} from '../relationships/relationship.ts';

export type Settled = { pair: PairRow; refused: Refused | null };

/** The background job that finishes interrupted changes. */
export const PAIRS_JOB = 'friends';

/** Later projections of a change, such as of a new name, are no news. */
const NEWS_MS = HOUR_MS;
/** How long ids of removed cards stay in the row, for calls that were about to create them. */
const FORMER_FOR_MS = 10 * MINUTE_MS;

/**
 * Applies a user’s action on another user in one atomic step, also when actions cross; then updates both contacts
 * documents and card documents. The step stands even if that fails: a repeat or the background job finishes it.
 * @param madeAt when the action was made, if a device sends it later
 * @throws HttpError 503 when the sync server is unavailable
 */
export async function actOn(
  services: Services,
  { by, other, act, madeAt }: { by: string; other: string; act: Act; madeAt?: Date | undefined },
): Promise<Settled> {
  const settled = await step(services.db, { by, other, act, madeAt });
  if (act.type === 'block' || act.type === 'unblock') await signalBlock(services, settled.pair);
  // A user who blocked someone may not repeat the call.
  if (!settled.pair.is_projected)
    await runOrRetrySoon(services, PAIRS_JOB, () => project(services, settled.pair));
  return settled;
}

/** Optimistic: retries if the row changed in the meantime. */
async function step(
  db: Db,
  { by, other, act, madeAt }: { by: string; other: string; act: Act; madeAt?: Date | undefined },
): Promise<Settled> {
  for (;;) {
    const before =
      (await pairRows(db).findOne({ _id: pairId(by, other) })) ?? noRelationship(by, other);
    const settled = applyAction(before, { by, act, at: new Date(), madeAt });
    if (settled.pair === before) return settled;
    const pair = withCards(settled.pair);
    if (await replace(pairRows(db), before.version, pair)) return { ...settled, pair };
  }
}

/**
 * Each friendship has its own card documents, so that their history has nothing from before (decision 235). Someone who
 * does not see the end of it yet keeps theirs.
 */
function withCards(pair: PairRow): PairRow {
  const { cards, former_cards, ...rest } = pair;
  const view = pair.earlier_view;
  const shownTo = view?.relationship === 'friends' ? view.user_id : undefined;
  if (pair.relationship === 'friends')
    return cards
      ? pair
      : {
          ...pair,
          cards: Object.fromEntries(pair.users.map((user) => [user, newDocumentId()])),
        };
  if (!cards) return pair;
  const kept = Object.entries(cards).filter(([user]) => user === shownTo);
  const over = Object.entries(cards).filter(([user]) => user !== shownTo);
  const ids = [...(former_cards?.ids ?? []), ...over.map(([, id]) => id)];
  return {
    ...rest,
    ...(kept.length > 0 && { cards: Object.fromEntries(kept) }),
    former_cards: { ids, at: new Date() },
  };
}

async function replace(
  pairs: ReturnType<typeof pairRows>,
  version: number,
  pair: PairRow,
): Promise<boolean> {
  try {
    const { matchedCount, upsertedCount } = await pairs.replaceOne(
      { _id: pair._id, version },
      pair,
      { upsert: version === 0 },
    );
    return matchedCount + upsertedCount > 0;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

/** Every server’s proximity service checks blocks. */
async function signalBlock({ signals }: Services, { users }: PairRow): Promise<void> {
  for (const user of users) await signals.send('blocks', user);
}

/**
 * Updates both contacts documents and card documents to the pair. May be repeated, late and in any order.
 */
async function project(services: Services, pair: PairRow): Promise<void> {
  const { db } = services;
  const people = await thoseOf(db, pair);
  const names = await namesOf(db, pair.users);
  if (pair.earlier_view) await freezeCard(services, pair, pair.earlier_view.user_id);
  // Removed before the contacts documents change; a new thread is created afterward.
  for (const id of pair.former_cards?.ids ?? []) await services.documents.remove(id);
  if (pair.were_friends && pair.relationship !== 'friends')
    await reconcileThread(services, pair._id);
  // The card exists before a contacts document names the friend.
  if (pair.relationship === 'friends') await makeCards(services, pair, people);
  for (const person of people) {
    const other = people.find(({ _id }) => _id === otherOf(pair, person._id));
    const name =
      storedCardOf(pair, person._id)?.display_name ?? names.get(otherOf(pair, person._id)) ?? '';
    const seen = other && personSeen(pair, person._id, other, name);
    if (!seen) continue;
    await ensureDocuments(services, person);
    await changeDocumentOf(services, person, { kind: 'contacts', name: 'person.set', input: seen });
  }
  if (pair.relationship === 'friends') {
    await reconcileThread(services, pair._id);
    await addFirstMessages(services, pair);
  }
  await sendPushes(services, pair);
  // An account deletion in the meantime removes it from contacts documents, but perhaps before the changes above.
  const left = await thoseOf(db, pair);
  if (left.length < pair.users.length) return takeOut(services, pair, left);
  const { matchedCount } = await pairRows(db).updateOne(
    { _id: pair._id, version: pair.version },
    { $set: { is_projected: true }, $unset: { first_messages: '' } },
  );
  if (matchedCount === 0) await removeOutdated(services, pair);
}

/** Tells the devices of who got a request or whose request was accepted. A declined request is not announced. */
async function sendPushes(
  { push }: Services,
  { relationship, request, since }: PairRow,
): Promise<void> {
  if (!request || Date.now() - since.getTime() > NEWS_MS) return;
  const { id: subject, sender_user_id, receiver_user_id } = request;
  if (relationship === 'pending')
    await push.notify({
      topic: 'friend_request',
      user_id: receiver_user_id,
      subject,
      key: noticeKey.friendRequest(subject),
      tag: `friend-${sender_user_id}`,
    });
  if (relationship === 'friends')
    await push.notify({
      topic: 'friend_answer',
      user_id: sender_user_id,
      subject,
      key: `friend-answer ${subject}`,
      tag: `friend-${receiver_user_id}`,
    });
}

/** Nothing that a blocker changes from now on reaches the copy that the blocked user still sees. */
async function freezeCard({ documents }: Services, pair: PairRow, userId: string): Promise<void> {
  const id = pair.cards?.[userId];
  if (id === undefined) return;
  const freeze = () => documents.setReaders(id, [], { is_frozen: true });
  try {
    await freeze();
  } catch (error) {
    if (!(error instanceof DocumentUnavailableError)) throw error;
    // The block came before the friendship was projected.
    await documents.createFriendCard(id, userId, otherOf(pair, userId));
    await freeze();
  }
}

/** Creates the documents through which two friends see each other’s cards. */
async function makeCards(services: Services, pair: PairRow, people: UserRow[]): Promise<void> {
  for (const person of people) await ensureDocuments(services, person);
  for (const { _id } of people) {
    const id = pair.cards?.[_id];
    const subject = people.find((each) => each._id === otherOf(pair, _id));
    if (id && subject) await services.documents.createFriendCard(id, _id, subject._id);
  }
}

/** Removes documents of a friendship that ended or restarted in the meantime, and the text of a request that was removed. */
async function removeOutdated(
  services: Services,
  { _id, cards, first_messages = [] }: PairRow,
): Promise<void> {
  const now = await pairRows(services.db).findOne({ _id });
  const current = Object.values(now?.cards ?? {});
  for (const id of Object.values(cards ?? {}))
    if (!current.includes(id)) await services.documents.remove(id);
  const request = now?.request;
  if (request?.message === null && first_messages.some(({ id }) => id === request.id))
    await removeFirstMessage(services, request.id, request.sender_user_id);
}

/** Returns one user’s contacts entry of the other; null if it never had one. */
export function personSeen(
  pair: PairRow,
  userId: string,
  other: Pick<UserRow, '_id'>,
  name: string,
): ChangeInput<'contacts', 'person.set'> | null {
  const version = pair.views[userId];
  if (!version) return null;
  const { at, ...view } = viewOf(pair, userId);
  const card = pair.cards?.[userId];
  return {
    ...view,
    user_id: other._id,
    version,
    name: view.relationship === 'none' ? '' : name,
    at: at.toISOString(),
    card: view.relationship === 'friends' && card ? `automerge:${card}` : null,
  };
}

const thoseOf = (db: Db, pair: PairRow): Promise<UserRow[]> =>
  userRows(db)
    .find({ _id: { $in: pair.users }, ...NOT_DELETED })
    .toArray();

/**
 * Removes a pair, and the deleted user from the other’s contacts document. May be repeated: the row is deleted last.
 */
async function takeOut(services: Services, pair: PairRow, left: UserRow[]): Promise<void> {
  const _id = pair._id;
  await pairRows(services.db).updateOne(
    { _id },
    { $set: { relationship: 'none', is_projected: false } },
  );
  for (const id of [...Object.values(pair.cards ?? {}), ...(pair.former_cards?.ids ?? [])])
    await services.documents.remove(id);
  for (const person of left) {
    if (!person.documents_ready) continue;
    const user_id = otherOf(pair, person._id);
    await changeDocumentOf(services, person, {
      kind: 'contacts',
      name: 'person.remove',
      input: { user_id },
    });
    if (pair.relationship === 'blocked') await services.signals.send('blocks', person._id);
  }
  await pairRows(services.db).deleteOne({ _id });
}

/** Removes a deleted user’s relationships. */
export async function takeOutOf(services: Services, userId: string): Promise<void> {
  const all = await pairRows(services.db).find({ users: userId }).toArray();
  await forEachIsolated(all, async (pair) => {
    const left = await thoseOf(services.db, pair);
    await takeOut(
      services,
      pair,
      left.filter(({ _id }) => _id !== userId),
    );
  });
}

/**
 * Updates a user’s name in the contacts documents of others. The background job retries failures.
 */
export async function updateNameInContacts(services: Services, userId: string): Promise<void> {
  for await (const pair of pairRows(services.db).find({
    users: userId,
    relationship: { $ne: 'none' },
  })) {
    const other = otherOf(pair, userId);
    if (pair.views[other] && !earlierViewOf(pair, other))
      await changePair(services, pair, [other], {});
  }
}

/** Removes the message of a friend request, for both, also from the thread that it began. May be repeated. */
export async function removeRequestText(
  services: Services,
  requestId: string,
  senderId: string,
): Promise<void> {
  const pair = await pairRows(services.db).findOne({ 'request.id': requestId, users: senderId });
  // First, so that nothing adds it to the thread later.
  if (pair?.request?.sender_user_id === senderId && pair.request.message !== null) {
    const request = { ...pair.request, message: null };
    const first_messages = (pair.first_messages ?? []).filter(({ id }) => id !== requestId);
    await changePair(services, pair, pair.users, { request, first_messages });
  }
  await removeFirstMessage(services, requestId, senderId);
}

/**
 * Changes a pair without an action of either user, and updates these users’ contacts documents. A concurrent action
 * wins; the caller must retry.
 */
async function changePair(
  services: Services,
  pair: PairRow,
  users: string[],
  change: Partial<Pick<PairRow, 'request' | 'first_messages'>>,
): Promise<void> {
  const version = pair.version + 1;
  const views = { ...pair.views, ...Object.fromEntries(users.map((user) => [user, version])) };
  const next: PairRow = { ...pair, ...change, version, views, is_projected: false };
  if (!(await replace(pairRows(services.db), pair.version, next)))
    throw new HttpError(409, 'This changed in the meantime. Try again.');
  services.runJobSoon(PAIRS_JOB);
}

/** Finishes changes that a crash or an outage of the sync server interrupted. */
export async function runPairsJob(services: Services): Promise<void> {
  const projectLeft = async (pair: PairRow) => {
    if (pair.relationship === 'blocked') await signalBlock(services, pair);
    await project(services, pair);
  };
  const at = { $lt: new Date(Date.now() - FORMER_FOR_MS) };
  const over = pairRows(services.db).find({ 'former_cards.at': at, is_projected: true });
  const removeFormer = async ({ _id, version, former_cards }: PairRow) => {
    for (const id of former_cards?.ids ?? []) await services.documents.remove(id);
    await pairRows(services.db).updateOne({ _id, version }, { $unset: { former_cards: '' } });
  };
  const steps = [
    () => forEachIsolated(pairRows(services.db).find({ is_projected: false }), projectLeft),
    () => forEachIsolated(over, removeFormer),
  ];
  await runIsolated(steps);
}
