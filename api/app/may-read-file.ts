import type { Db } from 'mongodb';
import type { UserRow } from '#shared/server/collections.ts';
import { isChatFileOwner, maySeeChatFile } from '../features/chat/attachments.ts';
import { pairs } from '../features/friends/collections.ts';
import { pairId, storedCardOf } from '../features/friends/relationship.ts';
import { isPublicOwner } from '../platform/files/public-owner.ts';
import type { MayReadFile } from '../platform/files/routes.ts';

/**
 * A key learned as a friend stops working after a block. Until the blocked user sees the end of the friendship, the
 * pictures of that time are shown. Admins may view images in reports.
 */
async function isBlocked(db: Db, { _id, is_admin }: UserRow, owner: string, key: string) {
  if (is_admin || owner === _id || isPublicOwner(owner)) return false;
  const pair = await pairs(db).findOne({ _id: pairId(_id, owner), relationship: 'blocked' });
  if (!pair) return false;
  return !storedCardOf(pair, _id)?.dogs.some(({ image_key }) => image_key === key);
}

/** Files of chats are for those in the thread, other pictures for everyone who has their key and is not blocked. */
export const mayReadFile: MayReadFile = async (db, reader, { owner, key }) => {
  // Devices store them themselves, and remove them with their messages.
  if (isChatFileOwner(owner))
    return { mayRead: await maySeeChatFile(db, reader._id, owner, key), isStored: false };
  return { mayRead: !(await isBlocked(db, reader, owner, key)), isStored: true };
};
