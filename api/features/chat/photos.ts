import type { Db } from 'mongodb';
import { uploadMessagePhoto } from '#shared/chat/contract.ts';
import { splitMessageId } from '#shared/chat/document.ts';
import { HttpError, notFound } from '../../platform/http/http-error.ts';
import { serveAdmitted } from '../../platform/http/mount-endpoint.ts';
import { byMessageId } from '../moderation/content/messages.ts';
import { isRestricted, type MessageRow } from '#shared/server/collections.ts';
import { RESTRICTED } from '#shared/moderation/contract.ts';
import type { Api, Services } from '../../platform/services.ts';
import { changeOwnSegment } from './change-own-segment.ts';
import { hasOpenThread, messages, type ThreadRow } from './collections.ts';

const CHAT = 'chat:';

/** Returns the owner id of a user’s photos in a thread: only its two users see them, while they are friends. */
export const photoOwner = (threadId: string, userId: string): string =>
  `${CHAT}${threadId}:${userId}`;

/** Returns whether an image is a photo in a chat. */
export const isPhotoOwner = (owner: string): boolean => owner.startsWith(CHAT);

/** Returns whether a user may see the photos of an owner: in a thread with a friend, and not while they are held for review. */
export async function maySeePhoto(
  db: Db,
  userId: string,
  owner: string,
  key: string,
): Promise<boolean> {
  const [threadId = '', author] = owner.slice(CHAT.length).split(':');
  if (!(await hasOpenThread(db, userId, threadId))) return false;
  if (author === userId) return true;
  const message = { 'photo.image_key': key, thread_id: threadId, is_hidden: { $ne: true } };
  return (await messages(db).countDocuments(message, { limit: 1 })) > 0;
}

/** Removes the photo of a removed message. May be repeated. */
export async function removePhoto({ images }: Services, row: MessageRow): Promise<void> {
  const key = row.photo?.image_key;
  if (key) await images.remove(key, photoOwner(row.thread_id, row.sender_user_id));
}

/** Removes all photos of a thread. May be repeated. */
export async function removePhotos(
  { images }: Services,
  { _id, users }: Pick<ThreadRow, '_id' | 'users'>,
): Promise<void> {
  for (const user of users) await images.removeAll(photoOwner(_id, user));
}

/** Photos in messages: stored for a message that is here, and in its document under a key of the server. */
export function mountPhotos(api: Api): void {
  const { services } = api;
  const { db, images } = services;
  const uploads = services.limiter({ name: 'chat-photos', points: 120, seconds: 3_600 });
  images.spare(async (files) => {
    const keys = files.filter((file) => isPhotoOwner(file.owner_user_id)).map(({ key }) => key);
    if (keys.length === 0) return [];
    const rows = await messages(db)
      .find({ 'photo.image_key': { $in: keys } })
      .project<Pick<MessageRow, 'photo'>>({ photo: 1 })
      .toArray();
    return rows.map(({ photo }) => photo?.image_key ?? null);
  });

  /** @throws HttpError 404 if the caller has no such message with a photo in an open thread */
  async function messageOf(id: string, userId: string): Promise<MessageRow> {
    const row = await messages(db).findOne({ ...byMessageId(id), sender_user_id: userId });
    if (!row?.photo || !(await hasOpenThread(db, userId, row.thread_id))) throw notFound('Message');
    return row;
  }

  serveAdmitted(
    api,
    uploadMessagePhoto,
    async ({ params: { id }, caller: { user } }) => {
      await messageOf(id, user._id);
      if (isRestricted(user, new Date()))
        throw new HttpError(403, 'You can’t send messages right now', { code: RESTRICTED });
      await uploads(user._id);
    },
    async ({ params: { id }, caller: { user }, file }) => {
      const { thread_id, number, photo, _id } = await messageOf(id, user._id);
      const owner = photoOwner(thread_id, user._id);
      if (photo?.image_key && (await images.isOwned(photo.image_key, owner)))
        return { image_key: photo.image_key };
      const image_key = await images.put(file.path, owner);
      const { key } = splitMessageId(_id);
      const change = { key, image_key };
      await changeOwnSegment(services, { thread_id, number }, user._id, 'message.photo', change);
      // Removed in the meantime, with its message or the whole thread.
      if ((await messages(db).countDocuments({ 'photo.image_key': image_key }, { limit: 1 })) > 0)
        return { image_key };
      await images.remove(image_key, owner);
      throw notFound('Message');
    },
  );
}
