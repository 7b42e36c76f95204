import type { Database } from '../database.ts';

/**
 * Whom each of these users must not meet, in both directions: those they blocked, and those who blocked them.
 * @returns only users who have such blocks
 */
export async function blockedWith(
  { pairs }: Pick<Database, 'pairs'>,
  userIds: string[],
): Promise<Map<string, Set<string>>> {
  const asked = new Set(userIds);
  const found = new Map<string, Set<string>>();
  const add = (user: string, other: string) => {
    if (asked.has(user)) found.set(user, (found.get(user) ?? new Set()).add(other));
  };
  const either = pairs.find(
    { users: { $in: userIds }, standing: 'blocked' },
    { projection: { users: 1 } },
  );
  for await (const { users } of either) {
    add(users[0], users[1]);
    add(users[1], users[0]);
  }
  return found;
}
