import type { Db } from 'mongodb';
import { notFound } from '#shared/http/http-error.ts';
import type { PlannedWalk } from '#shared/planned-walks/contract.ts';
import { oncePerDatabase, readTogether } from '../../platform/read-together.ts';
import { namesOf } from '../profile/names.ts';
import { pairs, type PairRow } from '../relationships/collections.ts';
import { otherOf, pairId, storedCardOf, viewOf } from '../relationships/relationship.ts';
import { plannedWalks, type ParticipantEntry, type PlannedWalkRow } from './collections.ts';

/** What a reader knows of other users. */
interface Known {
  /** By the other's id. */
  pairs: ReadonlyMap<string, PairRow>;
  /** Of existing users; of someone who has just blocked the reader, the name of that time. */
  names: ReadonlyMap<string, string>;
}

/** Returns the pairs that there are, by their ids. */
async function pairsIn(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, PairRow>> {
  const found = await Promise.all([...new Set(ids)].map(pairReaderOf(db)));
  return new Map(found.flatMap((pair) => (pair ? [[pair._id, pair] as const] : [])));
}

const pairReaderOf = oncePerDatabase((db) => readTogether(db, pairs(db)));

async function knownTo(db: Db, userId: string, others: readonly string[]): Promise<Known> {
  const [rows, names] = await Promise.all([
    pairsIn(
      db,
      others.map((other) => pairId(userId, other)),
    ),
    namesOf(db, [...others, userId]),
  ]);
  for (const pair of rows.values()) {
    const other = otherOf(pair, userId);
    const name = storedCardOf(pair, userId)?.display_name;
    if (name !== undefined && names.has(other)) names.set(other, name);
  }
  return {
    pairs: new Map([...rows.values()].map((pair) => [otherOf(pair, userId), pair])),
    names,
  };
}

const areFriends = (pair: PairRow | undefined): boolean => pair?.relationship === 'friends';

/** Whether a user sees the other as a friend: also for a while after the other blocked them (decision 50). */
const seesFriend = (pair: PairRow | undefined, userId: string): boolean =>
  pair !== undefined && viewOf(pair, userId).relationship === 'friends';

/** Returns those of these users whom a user sees as friends, in this order. */
export async function friendsAmong(
  db: Db,
  userId: string,
  others: readonly string[],
): Promise<string[]> {
  const known = await knownTo(db, userId, others);
  return others.filter(
    (other) => known.names.has(other) && seesFriend(known.pairs.get(other), userId),
  );
}

/** Returns those who see a walk besides its organizer: participants who are friends of the organizer now. */
export async function readersOf(db: Db, row: PlannedWalkRow): Promise<ParticipantEntry[]> {
  const ids = row.participants.map(({ user_id }) => user_id);
  const known = await knownTo(db, row.organizer_user_id, ids);
  return row.participants.filter(({ user_id }) => areFriends(known.pairs.get(user_id)));
}

/** Returns a user's answer as a reader may know it: none that was given after the two were friends. */
function answerSeen({ answer, answered_at }: ParticipantEntry, pair: PairRow | undefined) {
  if (areFriends(pair)) return answer;
  const isEarlier = pair !== undefined && answered_at !== null && answered_at <= pair.since;
  return isEarlier ? answer : null;
}

/** Returns the pairs of organizers and those they invited, by their ids. */
async function invitingPairs(
  db: Db,
  rows: readonly PlannedWalkRow[],
): Promise<ReadonlyMap<string, PairRow>> {
  const ids = rows.flatMap(({ organizer_user_id, participants }) =>
    participants.map(({ user_id }) => pairId(organizer_user_id, user_id)),
  );
  return pairsIn(db, ids);
}

/** @param inviting of the organizer and the participants */
function present(
  row: PlannedWalkRow,
  userId: string,
  known: Known,
  inviting: ReadonlyMap<string, PairRow>,
): PlannedWalk {
  const organizer = row.organizer_user_id;
  const isOwn = organizer === userId;
  // Everyone sees those whom the organizer sees as friends now.
  const invited = row.participants.filter(
    ({ user_id }) =>
      user_id !== userId && seesFriend(inviting.get(pairId(organizer, user_id)), organizer),
  );
  const isNamed = ({ user_id }: ParticipantEntry) =>
    known.names.has(user_id) && seesFriend(known.pairs.get(user_id), userId);
  const unnamed = isOwn ? [] : invited.filter((entry) => !isNamed(entry));
  return {
    id: row._id,
    starts_at: row.starts_at.toISOString(),
    place_name: row.place_name,
    location_id: row.location_id,
    latitude: row.place?.latitude ?? null,
    longitude: row.place?.longitude ?? null,
    note: row.note,
    is_canceled: row.canceled_at !== null,
    organizer: {
      user_id: row.organizer_user_id,
      name: known.names.get(row.organizer_user_id) ?? '',
    },
    is_own: isOwn,
    own_answer: row.participants.find(({ user_id }) => user_id === userId)?.answer ?? null,
    participants: invited.filter(isNamed).map((entry) => ({
      user_id: entry.user_id,
      name: known.names.get(entry.user_id) ?? '',
      answer: answerSeen(entry, known.pairs.get(entry.user_id)),
    })),
    others: {
      count: unnamed.length,
      coming: unnamed.filter(({ answer }) => answer === 'yes').length,
    },
  };
}

/**
 * Returns the walks that a user may see now, as they see them: their own, and those of current friends that they are invited to.
 * An unfriending or a block hides them at once, as if the organizer had taken the user off the walk.
 */
export async function presentVisible(
  db: Db,
  rows: readonly PlannedWalkRow[],
  userId: string,
): Promise<PlannedWalk[]> {
  if (rows.length === 0) return [];
  const people = rows.flatMap((row) => [
    row.organizer_user_id,
    ...row.participants.map(({ user_id }) => user_id),
  ]);
  const others = [...new Set(people)].filter((other) => other !== userId);
  const [known, inviting] = await Promise.all([
    knownTo(db, userId, others),
    invitingPairs(db, rows),
  ]);
  const visible = rows.filter(
    ({ organizer_user_id: organizer }) =>
      organizer === userId ||
      (known.names.has(organizer) && areFriends(known.pairs.get(organizer))),
  );
  return visible.map((row) => present(row, userId, known, inviting));
}

const missing = () => notFound('Planned walk');

/** @throws HttpError 404 unless the user organizes it */
export async function findOwn(db: Db, id: string, userId: string): Promise<PlannedWalkRow> {
  const row = await plannedWalks(db).findOne({ _id: id, organizer_user_id: userId });
  if (!row) throw missing();
  return row;
}

/** @throws HttpError 404 unless the user is invited, and a friend of the organizer now */
export async function findInvitation(db: Db, id: string, userId: string): Promise<PlannedWalkRow> {
  const row = await plannedWalks(db).findOne({ _id: id, 'participants.user_id': userId });
  const isReader = row && (await readersOf(db, row)).some(({ user_id }) => user_id === userId);
  if (!row || !isReader) throw missing();
  return row;
}
