import type { Db, Filter } from 'mongodb';
import { oncePerDatabase, readByKeys } from '../../platform/read-together.ts';
import { type EarlierView, type PairRow, pairs } from './collections.ts';
import { earlierViewOf, otherOf } from './relationship.ts';

/** More friends than this are ignored. */
const FRIENDS_MAX = 10_000;

/** Matches the pairs of a user who sees this relationship, also if a block has ended it (decision 50). */
export const pairsSeenAs = (
  userId: string,
  relationship: EarlierView['relationship'],
): Filter<PairRow> => ({
  users: userId,
  relationship: { $in: [relationship, 'blocked'] },
  $or: [
    { relationship },
    { 'earlier_view.user_id': userId, 'earlier_view.relationship': relationship },
  ],
});

/** Matches friendships as they count in numbers that others see: until the blocked user sees the end, too. */
export const COUNTED_AS_FRIENDS = {
  relationship: { $in: ['friends', 'blocked'] },
  $or: [{ relationship: 'friends' }, { 'earlier_view.relationship': 'friends' }],
} satisfies Filter<PairRow>;

/** Returns the ids of those whom a user sees as friends, sorted. */
export const friendIds = async (db: Db, userId: string): Promise<string[]> =>
  (await friendsTogether(db)(userId)) ?? [];

const friendsTogether = oncePerDatabase((db) =>
  readByKeys(
    db,
    pairs(db),
    (userIds) => ({
      filter: { $or: userIds.map((userId) => pairsSeenAs(userId, 'friends')) },
      projection: { users: 1, relationship: 1, earlier_view: 1 },
      sort: { _id: 1 },
      limit: FRIENDS_MAX * userIds.length,
    }),
    (rows, userIds) => {
      const friends = new Map<string, string[]>(userIds.map((userId) => [userId, []]));
      for (const row of rows)
        for (const userId of row.users)
          // A pair may be here for the other one, who does not see the end of the friendship yet.
          if ((earlierViewOf(row, userId) ?? row).relationship === 'friends')
            friends.get(userId)?.push(otherOf(row, userId));
      for (const ids of friends.values()) ids.sort();
      return friends;
    },
  ),
);
