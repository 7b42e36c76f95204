import type { Db } from 'mongodb';
import { type FoundUser } from '#shared/invitations/contract.ts';
import { SEARCH_RESULTS_MAX, nameWords } from '#shared/invitations/rules.ts';
import { cards } from '../profile/collections.ts';
import { namesOf } from '../profile/names.ts';
import { pairs as pairRows } from '../relationships/collections.ts';
import { blockBy, otherOf, pairId } from '../relationships/relationship.ts';

/** Longer searches would slow down other requests. */
const TIMEOUT_MS = 2_000;

/**
 * Finds members by prefixes of the words of their names, except the searcher and members who blocked the searcher.
 * @param query has at least one word; only its letters and digits count
 */
export async function findPeople(
  db: Db,
  searcherId: string,
  query: string,
): Promise<{ users: FoundUser[]; has_more: boolean }> {
  const words = nameWords(query);
  const found = await cards(db)
    .find({
      _id: { $nin: [searcherId, ...(await blockersOf(db, searcherId))] },
      // Both bounds must apply to the same word of the name.
      $and: words.map((word) => ({
        name_words: { $elemMatch: { $gte: word, $lt: `${word}\uffff` } },
      })),
    })
    .project<{ _id: string }>({ _id: 1 })
    .limit(SEARCH_RESULTS_MAX + 1)
    .maxTimeMS(TIMEOUT_MS)
    .toArray();
  const ids = found.slice(0, SEARCH_RESULTS_MAX).map(({ _id }) => _id);
  const users = await foundUsers(db, searcherId, ids);
  return {
    users: users.toSorted((a, b) => a.display_name.localeCompare(b.display_name)),
    has_more: found.length > SEARCH_RESULTS_MAX,
  };
}

/** Returns members with their relationship to the searcher. */
export async function foundUsers(db: Db, searcherId: string, ids: string[]): Promise<FoundUser[]> {
  const [names, pairs] = await Promise.all([
    namesOf(db, ids),
    pairRows(db)
      .find({ _id: { $in: ids.map((id) => pairId(searcherId, id)) } })
      .toArray(),
  ]);
  const pairWith = new Map(pairs.map((pair) => [otherOf(pair, searcherId), pair]));
  return [...names].map(([user_id, display_name]) => {
    const pair = pairWith.get(user_id);
    return {
      user_id,
      display_name,
      is_friend: pair?.relationship === 'friends',
      has_pending_request: pair?.relationship === 'pending',
      is_blocked: pair ? blockBy(pair, searcherId) !== undefined : false,
    };
  });
}

async function blockersOf(db: Db, userId: string): Promise<string[]> {
  const rows = await pairRows(db).find({ users: userId, relationship: 'blocked' }).toArray();
  return rows
    .filter((row) => blockBy(row, otherOf(row, userId)))
    .map((row) => otherOf(row, userId));
}
