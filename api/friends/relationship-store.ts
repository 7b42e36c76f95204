import type { Db } from 'mongodb';
import { users as userRows } from '../session/collections.ts';
import type { ChangeInput } from '#shared/document-kinds.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { reconcileThread } from '../chat/threads.ts';
import { isDuplicate } from '../database.ts';
import { newDocumentId } from '../sync-server-client.ts';
import { forEachIsolated } from '../for-each-isolated.ts';
import { ensureDocuments } from '../user-documents.ts';
import { namesOf } from '../profile/names.ts';
import { HttpError } from '../http/http-error.ts';
import type { Services } from '../services.ts';
import { runOrRetrySoon } from '../background-jobs.ts';
import {
  otherOf,
  pairId,
  applyAction,
  noRelationship,
  viewOf,
  type Act,
  type Refused,
} from './relationship.ts';
import { type PairRow, pairs as pairRows } from './collections.ts';

export type Settled = { pair: PairRow; refused: Refused | null };

/** The name of the sweep that does what is left undone. */
export const PAIRS_SWEEP = 'friends';

/** Nobody has more friends that count. */
const FRIENDS_MAX = 10_000;
/** So long the ids of cards that are gone stay in the row, for whoever was about to make them. */
const FORMER_FOR_MS = 10 * 60_000;

/**
 * Has one of two people act on the other, in one atomic step, however their acts cross; then both contacts documents, and what they see of
 * each other's cards, are brought in line. The step stands even when that fails: a repeat, or the sweep, makes up for it.
 * @param madeAt when it was done, where a device brings it later
 * @throws HttpError 503 when the sync server stays away
 */
export async function actOn(
  services: Services,
  by: string,
  other: string,
  act: Act,
  madeAt?: Date,
): Promise<Settled> {
  const settled = await step(services.db, by, other, act, madeAt);
  if (act.type === 'block' || act.type === 'unblock') await tellOfBlock(services, settled.pair);
  // Whoever blocked somebody may not come back to say so again.
  if (!settled.pair.is_projected)
    await runOrRetrySoon(services, PAIRS_SWEEP, () => project(services, settled.pair));
  return settled;
}

/** Optimistic: tried again when the other one was quicker. */
async function step(db: Db, by: string, other: string, act: Act, madeAt?: Date): Promise<Settled> {
  for (;;) {
    const before =
      (await pairRows(db).findOne({ _id: pairId(by, other) })) ?? noRelationship(by, other);
    const settled = applyAction(before, by, act, new Date(), madeAt);
    if (settled.pair === before) return settled;
    const pair = withCards(settled.pair);
    if (await replace(pairRows(db), before.version, pair)) return { ...settled, pair };
  }
}

/** Each friendship has documents of its own, so that their history has nothing from before it (decision 235). */
function withCards(pair: PairRow): PairRow {
  const { cards, former_cards, ...rest } = pair;
  if (pair.relationship === 'friends')
    return cards
      ? pair
      : {
          ...pair,
          cards: Object.fromEntries(pair.users.map((user) => [user, newDocumentId()])),
        };
  if (!cards) return pair;
  const ids = [...(former_cards?.ids ?? []), ...Object.values(cards)];
  return { ...rest, former_cards: { ids, at: new Date() } };
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

/** Proximity looks at blocks on every server. */
async function tellOfBlock({ signals }: Services, { users }: PairRow): Promise<void> {
  for (const user of users) await signals.send('blocks', user);
}

/** Has both contacts documents, and what they see of each other's cards, say what the pair says. May be repeated, late and in any order. */
async function project(services: Services, pair: PairRow): Promise<void> {
  const { db } = services;
  const people = await thoseOf(db, pair);
  const names = await namesOf(db, pair.users);
  // What is taken away goes before anybody reads that it is over; a new thread can come after.
  for (const id of pair.former_cards?.ids ?? []) await services.documents.remove(id);
  if (pair.were_friends && pair.relationship !== 'friends')
    await reconcileThread(services, pair._id);
  // By the time that a contacts document names a friend, the card can be read.
  if (pair.relationship === 'friends') await makeCards(services, pair, people);
  for (const person of people) {
    const other = people.find(({ _id }) => _id === otherOf(pair, person._id));
    const seen = other && personSeen(pair, person._id, other, names.get(other._id) ?? '');
    if (!seen) continue;
    await ensureDocuments(services, person);
    await services.documents.change('contacts', person.documents.contacts, 'person.set', seen);
  }
  if (pair.relationship === 'friends') await reconcileThread(services, pair._id);
  // Whoever deletes an account meanwhile takes it out of contacts documents too, but perhaps before it came in here.
  const left = await thoseOf(db, pair);
  if (left.length < pair.users.length) return takeOut(services, pair, left);
  const { matchedCount } = await pairRows(db).updateOne(
    { _id: pair._id, version: pair.version },
    { $set: { is_projected: true } },
  );
  if (matchedCount === 0) await removeOutdated(services, pair);
}

/** Makes the documents through which two friends see each other's cards. */
async function makeCards(services: Services, pair: PairRow, people: UserRow[]): Promise<void> {
  for (const person of people) await ensureDocuments(services, person);
  for (const { _id } of people) {
    const id = pair.cards?.[_id];
    const subject = people.find((each) => each._id === otherOf(pair, _id));
    if (id && subject) await services.documents.createFriendCard(id, _id, subject._id);
  }
}

/** Removes what was made for a friendship that ended, or began anew, meanwhile. */
async function removeOutdated(services: Services, { _id, cards }: PairRow): Promise<void> {
  const now = await pairRows(services.db).findOne({ _id });
  const current = Object.values(now?.cards ?? {});
  for (const id of Object.values(cards ?? {}))
    if (!current.includes(id)) await services.documents.remove(id);
}

/** What the contacts document of one of the two is to say of the other; null where it was never to say anything. */
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
    .find({ _id: { $in: pair.users }, deleted_at: { $exists: false } })
    .toArray();

/**
 * Removes a pair, and whoever is no longer there from the contacts document of who is left. May be repeated: the pair is nothing at once,
 * and goes when nobody is left to be told.
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
    await services.documents.change('contacts', person.documents.contacts, 'person.remove', {
      user_id,
    });
    if (pair.relationship === 'blocked') await services.signals.send('blocks', person._id);
  }
  await pairRows(services.db).deleteOne({ _id });
}

/** Removes all that a deleted user was to others. */
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

/** Has the contacts documents of others show somebody's name as it is shown now. The sweep does what fails here. */
export async function updateNameInContacts(services: Services, userId: string): Promise<void> {
  for await (const pair of pairRows(services.db).find({
    users: userId,
    relationship: { $ne: 'none' },
  })) {
    const other = otherOf(pair, userId);
    if (pair.views[other]) await projectAnew(services, pair, [other], {});
  }
}

/** Removes the text of a friend request, for both. May be repeated. */
export async function removeRequestText(
  services: Services,
  requestId: string,
  senderId: string,
): Promise<void> {
  const pair = await pairRows(services.db).findOne({ 'request.id': requestId, users: senderId });
  if (pair?.request?.sender_user_id !== senderId || pair.request.message === null) return;
  const request = { ...pair.request, message: null };
  await projectAnew(services, pair, pair.users, { request });
}

/** Changes a pair without an act of either, and has these users' contacts documents follow. A crossing act wins; the next attempt counts. */
async function projectAnew(
  services: Services,
  pair: PairRow,
  users: string[],
  change: Partial<Pick<PairRow, 'request'>>,
): Promise<void> {
  const version = pair.version + 1;
  const views = { ...pair.views, ...Object.fromEntries(users.map((user) => [user, version])) };
  const next: PairRow = { ...pair, ...change, version, views, is_projected: false };
  if (!(await replace(pairRows(services.db), pair.version, next)))
    throw new HttpError(409, 'This changed in the meantime. Please try again.');
  services.sweepSoon(PAIRS_SWEEP);
}

/** In the order of their ids. */
export async function friendIds(db: Db, userId: string): Promise<string[]> {
  const rows = await pairRows(db)
    .find({ users: userId, relationship: 'friends' }, { projection: { users: 1 } })
    .sort({ _id: 1 })
    .limit(FRIENDS_MAX)
    .toArray();
  return rows.map((row) => otherOf(row, userId)).toSorted();
}

/** Makes up for what a crash, or a sync server that was away, left undone. */
export async function sweepPairs(services: Services): Promise<void> {
  await forEachIsolated(pairRows(services.db).find({ is_projected: false }), async (pair) => {
    if (pair.relationship === 'blocked') await tellOfBlock(services, pair);
    await project(services, pair);
  });
  const at = { $lt: new Date(Date.now() - FORMER_FOR_MS) };
  const over = pairRows(services.db).find({ 'former_cards.at': at, is_projected: true });
  await forEachIsolated(over, async ({ _id, version, former_cards }) => {
    for (const id of former_cards?.ids ?? []) await services.documents.remove(id);
    await pairRows(services.db).updateOne({ _id, version }, { $unset: { former_cards: '' } });
  });
}
