import type { Db, Filter } from 'mongodb';
import {
  accountWeight,
  COUNTED_DAYS,
  dayOf,
  type Acquaintance,
  type Facts,
} from '#shared/friendly-index/scores.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { users } from '../../platform/session/collections.ts';
import { messageReports } from '../moderation/collections.ts';
import { cards } from '../profile/collections.ts';
import { type PairRow, pairs } from '../relationships/collections.ts';
import { COUNTED_AS_FRIENDS } from '../relationships/pairs-seen.ts';
import { blockBy, otherOf } from '../relationships/relationship.ts';
import { acquaintances } from './collections.ts';

/** More people than a full score needs; the limit of each query. */
const PEOPLE_MAX = 1_000;

/**
 * Reads the inputs of a user’s index. Every query is indexed and limited, so its cost doesn’t grow over the years.
 * @param today the day number
 */
export async function readFacts(db: Db, userId: string, today: number): Promise<Facts> {
  const pairsWith = (filter: Filter<PairRow>) =>
    pairs(db)
      .find({ users: userId, ...filter })
      .limit(PEOPLE_MAX)
      .toArray();
  const [rows, friends, blocked, reports] = await Promise.all([
    acquaintances(db)
      .find({ users: userId, last_day: { $gte: today - COUNTED_DAYS } })
      .sort({ last_day: -1 })
      .limit(PEOPLE_MAX)
      .toArray(),
    pairsWith(COUNTED_AS_FRIENDS),
    // Nothing changes before the blocked user sees the end of the friendship.
    pairsWith({ relationship: 'blocked', earlier_view: { $exists: false } }),
    upheldReports(db, userId),
  ]);
  const counts = (day: number) => day < today && day >= today - COUNTED_DAYS;
  const met = rows.filter(({ days }) => days.some(counts));
  const blockers = blocked.filter((pair) => {
    const block = blockBy(pair, otherOf(pair, userId));
    return block !== undefined && dayOf(block.created_at) < today;
  });
  const friendIds = new Set(friends.map((pair) => otherOf(pair, userId)));
  const blockerIds = new Set(blockers.map((pair) => otherOf(pair, userId)));
  const metIds = met.map((row) => otherOf(row, userId));
  const [joined, dogs] = await Promise.all([
    joinedOf(db, [...new Set([...metIds, ...friendIds])]),
    dogsOf(db, metIds),
  ]);
  const weightOf = (id: string) => accountWeight(today - (joined.get(id) ?? today));
  const people = met.map((row): Acquaintance => {
    const other = otherOf(row, userId);
    const [own = [], theirs = []] =
      row.users[0] === userId
        ? [row.first_dogs, row.second_dogs]
        : [row.second_dogs, row.first_dogs];
    const { dogs_since: since = Infinity } = row;
    const isAllKnown = row.days.every((day) => day >= since);
    return {
      days: row.days,
      came: row.users[0] === other ? row.first_came : row.second_came,
      weight: weightOf(other),
      dogs: isAllKnown ? new Set(theirs.map(({ dog }) => dog)).size : (dogs.get(other) ?? 0),
      ...(since < Infinity && { own: { since, dogs: own } }),
      isFriend: friendIds.has(other),
      hasBlocked: blockerIds.has(other),
    };
  });
  for (const id of metIds) friendIds.delete(id);
  const unmetFriends = [...friendIds].map(weightOf);
  return { people, unmetFriends, reports, blocks: blockers.length };
}

/** Counts people whose reports were upheld. Undecided reports don’t count. */
async function upheldReports(db: Db, userId: string): Promise<number> {
  const found = await messageReports(db)
    .find(
      { reported_user_id: userId, status: 'resolved', subject_type: { $ne: 'account' } },
      { projection: { reporter_user_id: 1 } },
    )
    .limit(PEOPLE_MAX)
    .toArray();
  return new Set(found.map(({ reporter_user_id }) => reporter_user_id)).size;
}

/** Returns the day on which each user joined. */
async function joinedOf(db: Db, ids: string[]): Promise<Map<string, number>> {
  const rows = await users(db)
    .find({ _id: { $in: ids } }, { projection: { created_at: 1 } })
    .toArray();
  return new Map(rows.map(({ _id, created_at }) => [_id, dayOf(created_at)]));
}

/** Returns how many dogs each user has. */
async function dogsOf(db: Db, ids: string[]): Promise<Map<string, number>> {
  const rows = await cards(db)
    .find({ _id: { $in: ids } }, { projection: { 'dogs.id': 1 } })
    .toArray();
  return new Map(rows.map(({ _id, dogs }) => [_id, dogs.length]));
}

const FRESH_MS = 3 * MINUTE_MS;
const REMEMBERED_MAX = 2_000;

/** Caches inputs for three minutes: profiles are reopened often, and nothing here is urgent. */
export function rememberFacts(db: Db): (userId: string) => Promise<Facts> {
  const known = new Map<string, { facts: Promise<Facts>; today: number; until: number }>();
  return (userId) => {
    const now = Date.now();
    const today = dayOf(now);
    const before = known.get(userId);
    if (before && before.until > now && before.today === today) return before.facts;
    known.delete(userId);
    const [oldest] = known.keys();
    if (known.size >= REMEMBERED_MAX && oldest !== undefined) known.delete(oldest);
    const facts = readFacts(db, userId, today);
    facts.catch(() => known.delete(userId));
    known.set(userId, { facts, today, until: now + FRESH_MS });
    return facts;
  };
}
