import type { Db } from 'mongodb';
import { oncePerDatabase, readByKeys } from '../../platform/read-together.ts';
import { namesOf } from '../profile/names.ts';
import { pairs as pairRows } from './collections.ts';
import { otherOf, storedCardOf } from './relationship.ts';

/** The pairs with those who blocked a user, who doesn't see it yet. */
const keptBy = oncePerDatabase((db) =>
  readByKeys(
    db,
    pairRows(db),
    (userIds) => ({
      filter: {
        users: { $in: userIds },
        relationship: 'blocked' as const,
        'earlier_view.user_id': { $in: userIds },
      },
    }),
    (rows, userIds) =>
      new Map(
        userIds.map((id) => [id, rows.filter(({ earlier_view }) => earlier_view?.user_id === id)]),
      ),
  ),
);

/** Returns names of existing users as this user sees them: someone who blocked them keeps the name of that time. */
export async function namesSeenBy(
  db: Db,
  userId: string,
  others: string[],
): Promise<Map<string, string>> {
  const [names, kept] = await Promise.all([namesOf(db, others), keptBy(db)(userId)]);
  for (const pair of kept ?? []) {
    const name = storedCardOf(pair, userId)?.display_name;
    if (name !== undefined && names.has(otherOf(pair, userId)))
      names.set(otherOf(pair, userId), name);
  }
  return names;
}
