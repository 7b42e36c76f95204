import type { Db } from 'mongodb';
import { pairs } from '../relationships/collections.ts';
import { blockBy, noticedBlockOf, otherOf } from '../relationships/relationship.ts';

/**
 * Returns blocks in both directions: whom each user blocked, and who blocked them.
 * @returns only users with blocks
 */
export async function blockedWith(db: Db, userIds: string[]): Promise<Map<string, Set<string>>> {
  const asked = new Set(userIds);
  const found = new Map<string, Set<string>>();
  const add = (user: string, other: string) => {
    if (asked.has(user)) found.set(user, (found.get(user) ?? new Set()).add(other));
  };
  const either = pairs(db).find(
    { users: { $in: userIds }, relationship: 'blocked' },
    { projection: { users: 1 } },
  );
  for await (const { users } of either) {
    add(users[0], users[1]);
    add(users[1], users[0]);
  }
  return found;
}

/** Returns whose content a block hides from a user, except blocks that the user doesn’t notice yet (decision 50). */
export async function hiddenFrom(db: Db, userId: string): Promise<Set<string>> {
  const rows = await pairs(db).find({ users: userId, relationship: 'blocked' }).toArray();
  const noticed = rows.filter((pair) => blockBy(pair, userId) ?? noticedBlockOf(pair, userId));
  return new Set(noticed.map((pair) => otherOf(pair, userId)));
}
