import type { Database } from '../database.ts';

/** `blocks`: the authority on who does not meet whom; the blocker's circle shows it to the blocker. */
export interface BlockRow {
  _id: string;
  blocker_user_id: string;
  blocked_user_id: string;
  blocked_user_name: string;
  reason: string | null;
  created_at: Date;
}

/**
 * Whom each of these users must not meet, in both directions: those they blocked, and those who blocked them.
 * @returns only users who have such blocks
 */
export async function blockedWith(
  { blocks }: Pick<Database, 'blocks'>,
  userIds: string[],
): Promise<Map<string, Set<string>>> {
  const asked = new Set(userIds);
  const found = new Map<string, Set<string>>();
  const add = (user: string, other: string) => {
    if (asked.has(user)) found.set(user, (found.get(user) ?? new Set()).add(other));
  };
  const either = blocks.find(
    { $or: [{ blocker_user_id: { $in: userIds } }, { blocked_user_id: { $in: userIds } }] },
    { projection: { blocker_user_id: 1, blocked_user_id: 1 } },
  );
  for await (const { blocker_user_id, blocked_user_id } of either) {
    add(blocker_user_id, blocked_user_id);
    add(blocked_user_id, blocker_user_id);
  }
  return found;
}
