import type { ChangeInput } from '#shared/document-kinds.ts';
import type { UserRow } from '#shared/rows.ts';
import { settleThread } from '../chat/threads.ts';
import { isDuplicate, type Database } from '../database.ts';
import { eachApart } from '../each-apart.ts';
import { ensureDocuments } from '../own-documents.ts';
import { namesOf } from '../profile/names.ts';
import type { Services } from '../services.ts';
import { nowOrSoon } from '../sweeps.ts';
import {
  otherOf,
  pairId,
  settle,
  strangers,
  viewOf,
  type Act,
  type PairRow,
  type Refused,
} from './pair.ts';

export type Settled = { pair: PairRow; refused: Refused | null };

/** The name of the sweep that does what is left undone. */
export const PAIRS_SWEEP = 'friends';

/** As many as the sync server takes. */
const READERS_MAX = 10_000;

/**
 * Has one of two people act on the other, in one atomic step, however their acts cross; then both circles, and the
 * readers of both cards, are brought in line. The step stands even when that fails: a repeat, or the sweep, makes up for it.
 * @param madeAt when it was done, where a device brings it later
 * @throws Refusal 503 when the sync server stays away
 */
export async function actOn(
  services: Services,
  by: string,
  other: string,
  act: Act,
  madeAt?: Date,
): Promise<Settled> {
  const settled = await step(services.database, by, other, act, madeAt);
  if (act.type === 'block' || act.type === 'unblock') await tellOfBlock(services, settled.pair);
  // Whoever blocked somebody may not come back to say so again.
  if (!settled.pair.is_projected)
    await nowOrSoon(services, PAIRS_SWEEP, () => project(services, settled.pair));
  return settled;
}

/** Optimistic: tried again when the other one was quicker. */
async function step(
  { pairs }: Pick<Database, 'pairs'>,
  by: string,
  other: string,
  act: Act,
  madeAt?: Date,
): Promise<Settled> {
  for (;;) {
    const before = (await pairs.findOne({ _id: pairId(by, other) })) ?? strangers(by, other);
    const settled = settle(before, by, act, new Date(), madeAt);
    if (settled.pair === before) return settled;
    if (await replace(pairs, before.version, settled.pair)) return settled;
  }
}

async function replace(pairs: Database['pairs'], version: number, pair: PairRow): Promise<boolean> {
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

/** Has both circles, and the readers of both cards, say what the pair says. May be repeated, late and in any order. */
async function project(services: Services, pair: PairRow): Promise<void> {
  const { database } = services;
  const people = await thoseOf(database, pair);
  const names = await namesOf(database, pair.users);
  // Readers first: by the time that a circle names a friend, the card can be read.
  if (pair.were_friends) {
    for (const person of people) await shareCard(services, person);
    // What is taken away goes before anybody reads that it is over; a new thread can come after.
    if (pair.standing !== 'friends') await settleThread(services, pair._id);
  }
  for (const person of people) {
    const other = people.find(({ _id }) => _id === otherOf(pair, person._id));
    const seen = other && personSeen(pair, person._id, other, names.get(other._id) ?? '');
    if (!seen) continue;
    await ensureDocuments(services, person);
    await services.documents.change('circle', person.documents.circle, 'person.set', seen);
  }
  if (pair.standing === 'friends') await settleThread(services, pair._id);
  // Whoever deletes an account meanwhile takes it out of circles too, but perhaps before it came in here.
  const left = await thoseOf(database, pair);
  if (left.length < pair.users.length) return takeOut(services, pair, left);
  await database.pairs.updateOne(
    { _id: pair._id, version: pair.version },
    { $set: { is_projected: true } },
  );
}

/** What the circle of one of the two is to say of the other; null where it was never to say anything. */
export function personSeen(
  pair: PairRow,
  userId: string,
  other: Pick<UserRow, '_id' | 'documents'>,
  name: string,
): ChangeInput<'circle', 'person.set'> | null {
  const version = pair.views[userId];
  if (!version) return null;
  const { at, ...view } = viewOf(pair, userId);
  return {
    ...view,
    user_id: other._id,
    version,
    name: view.standing === 'none' ? '' : name,
    at: at.toISOString(),
    card: view.standing === 'friends' ? `automerge:${other.documents.card}` : null,
  };
}

const thoseOf = ({ users }: Database, pair: PairRow): Promise<UserRow[]> =>
  users.find({ _id: { $in: pair.users }, deleted_at: { $exists: false } }).toArray();

/**
 * Removes a pair, and whoever is no longer there from the circle of who is left. May be repeated: the pair is nothing at once,
 * and goes when nobody is left to be told.
 */
async function takeOut(services: Services, pair: PairRow, left: UserRow[]): Promise<void> {
  const { pairs } = services.database;
  const _id = pair._id;
  await pairs.updateOne({ _id }, { $set: { standing: 'none', is_projected: false } });
  for (const person of left) {
    if (!person.documents_ready) continue;
    const user_id = otherOf(pair, person._id);
    await services.documents.change('circle', person.documents.circle, 'person.remove', {
      user_id,
    });
    if (pair.were_friends) await shareCard(services, person);
    if (pair.standing === 'blocked') await services.signals.send('blocks', person._id);
  }
  await pairs.deleteOne({ _id });
}

/** Removes all that a deleted user was to others. */
export async function takeOutOf(services: Services, userId: string): Promise<void> {
  const all = await services.database.pairs.find({ users: userId }).toArray();
  await eachApart(all, async (pair) => {
    const left = await thoseOf(services.database, pair);
    await takeOut(
      services,
      pair,
      left.filter(({ _id }) => _id !== userId),
    );
  });
}

/** Lets exactly the friends read a card. What two servers write at once cannot stay wrong: each looks again after. */
async function shareCard(services: Services, { _id, documents }: UserRow): Promise<void> {
  let friends = await friendIds(services.database, _id);
  for (;;) {
    await services.documents.setReaders(documents.card, friends);
    const now = await friendIds(services.database, _id);
    if (now.join() === friends.join()) return;
    friends = now;
  }
}

/** In the order of their ids. */
export async function friendIds(
  { pairs }: Pick<Database, 'pairs'>,
  userId: string,
): Promise<string[]> {
  const rows = await pairs
    .find({ users: userId, standing: 'friends' }, { projection: { users: 1 } })
    .sort({ _id: 1 })
    .limit(READERS_MAX)
    .toArray();
  return rows.map((row) => otherOf(row, userId)).toSorted();
}

/** Makes up for what a crash, or a sync server that was away, left undone. */
export async function sweepPairs(services: Services): Promise<void> {
  const undone = services.database.pairs.find({ is_projected: false });
  await eachApart(undone, async (pair) => {
    if (pair.standing === 'blocked') await tellOfBlock(services, pair);
    await project(services, pair);
  });
}
