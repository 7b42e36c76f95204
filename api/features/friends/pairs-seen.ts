import type { Db, Filter } from 'mongodb';
import { type EarlierView, type PairRow, pairs } from './collections.ts';
import { otherOf } from './relationship.ts';

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
export async function friendIds(db: Db, userId: string): Promise<string[]> {
  const rows = await pairs(db)
    .find(pairsSeenAs(userId, 'friends'), { projection: { users: 1 } })
    .sort({ _id: 1 })
    .limit(FRIENDS_MAX)
    .toArray();
  return rows.map((row) => otherOf(row, userId)).toSorted();
}
