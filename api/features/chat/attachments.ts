import type { Db, Filter } from 'mongodb';
import { uploadMessagePhoto, uploadMessageVoice } from '#shared/chat/contract.ts';
import { readSegment, splitMessageId } from '#shared/chat/document.ts';
import { HttpError, notFound } from '#shared/http/http-error.ts';
import { RESTRICTED } from '#shared/moderation/contract.ts';
import { isRestricted, type MessageRow } from '#shared/server/collections.ts';
import { DAY_SECONDS } from '#shared/time.ts';
import { serveAdmitted, type Announced } from '../../platform/http/mount-endpoint.ts';
import type { Api, Services } from '../../platform/services.ts';
import { changeOwnSegment } from './change-own-segment.ts';
import { hasOpenThread, messages, openTo, threads, type ThreadRow } from './collections.ts';
import { findOwnMessage, tryAgain } from './own-message.ts';
import { unplacedDocuments } from './segment-documents.ts';

type OfMessage = Announced<{ id: string }, unknown>;

const CHAT = 'chat:';

/** Returns the owner id of a user’s photos and recordings in a thread: only its two users have them, while they are friends. */
export const fileOwner = (threadId: string, userId: string): string =>
  `${CHAT}${threadId}:${userId}`;

/** Returns whether a file is a photo or recording in a chat. */
export const isChatFileOwner = (owner: string): boolean => owner.startsWith(CHAT);

/** Returns the key of a message’s photo or recording; null without one that is here. */
export const fileKeyOf = ({ photo, voice }: Pick<MessageRow, 'photo' | 'voice'>): string | null =>
  photo?.image_key ?? voice?.sound_key ?? null;

/** Matches the messages with a file. @param key or a condition */
const withFile = (key: string | { $in: string[] }): Filter<MessageRow> => ({
  $or: [{ 'photo.image_key': key }, { 'voice.sound_key': key }],
});

/** Returns whether a user may have the files of an owner: in a thread with a friend, and not while they are held for review. */
export async function maySeeChatFile(
  db: Db,
  userId: string,
  owner: string,
  key: string,
): Promise<boolean> {
  const [threadId = '', author] = owner.slice(CHAT.length).split(':');
  const thread = await threads(db).findOne({ _id: threadId, ...openTo(userId) });
  if (!thread) return false;
  if (author === userId) return true;
  const message = {
    ...withFile(key),
    thread_id: threadId,
    // Anybody may write the key of another's file into a message.
    sender_user_id: author!,
    // What is being rewritten isn't known to be held for review yet.
    document_id: { $nin: unplacedDocuments(thread) },
    is_hidden: { $ne: true },
  };
  return (await messages(db).countDocuments(message, { limit: 1 })) > 0;
}

/** Removes the photo or recording of a removed message. May be repeated. */
export async function removeFile({ images }: Services, row: MessageRow): Promise<void> {
  const key = fileKeyOf(row);
  if (key) await images.remove(key, fileOwner(row.thread_id, row.sender_user_id));
}

/** Removes all photos and recordings of a thread. May be repeated. */
export async function removeFiles(
  { images }: Services,
  { _id, users }: Pick<ThreadRow, '_id' | 'users'>,
): Promise<void> {
  for (const user of users) await images.removeAll(fileOwner(_id, user));
}

/** Photos and voice notes (decision 250): stored for a message that is here, and in its document under a key of the server. */
export function mountAttachments(api: Api): void {
  const { services } = api;
  const { db, images } = services;
  const limits = {
    photo: [
      services.limiter({ name: 'chat-photos', points: 120, seconds: 3_600 }),
      services.limiter({ name: 'chat-photos-day', points: 500, seconds: DAY_SECONDS }),
    ],
    voice: [
      services.limiter({ name: 'voice-notes', points: 30, seconds: 3_600 }),
      services.limiter({ name: 'voice-notes-day', points: 100, seconds: DAY_SECONDS }),
    ],
  };
  images.spare(async (files) => {
    const keys = files.filter((file) => isChatFileOwner(file.owner_user_id)).map(({ key }) => key);
    if (keys.length === 0) return [];
    const rows = await messages(db)
      .find(withFile({ $in: keys }))
      .project<Pick<MessageRow, 'photo' | 'voice'>>({ photo: 1, voice: 1 })
      .toArray();
    return rows.map(fileKeyOf);
  });

  /** @throws HttpError 404 if the caller has no such message with that in an open thread */
  async function messageOf(id: string, userId: string, what: 'photo' | 'voice') {
    const row = await findOwnMessage(services, id, userId);
    if (!row?.[what] || !(await hasOpenThread(db, userId, row.thread_id)))
      throw notFound('Message');
    return row;
  }

  const admit =
    (what: 'photo' | 'voice') =>
    async ({ params: { id }, caller: { user } }: OfMessage) => {
      await messageOf(id, user._id, what);
      if (isRestricted(user, new Date()))
        throw new HttpError(403, 'You can’t send messages right now', { code: RESTRICTED });
      for (const limit of limits[what]) await limit(user._id);
    };

  /** Stores the file of a message once. @param note puts its key into the document */
  async function store(
    row: MessageRow,
    userId: string,
    put: (owner: string) => Promise<string>,
    note: (message: { key: string }, fileKey: string) => Promise<{ value: unknown } | null>,
  ): Promise<string> {
    const owner = fileOwner(row.thread_id, userId);
    const known = fileKeyOf(row);
    const isStored = known !== null && (await images.isOwned(known, owner));
    const fileKey = isStored ? known : await put(owner);
    // Also one that is known: an attempt that was refused may have put it into a document that is being replaced.
    const { key } = splitMessageId(row._id);
    const changed = await note({ key }, fileKey);
    const segment = changed && readSegment(changed.value);
    // One that its device hasn't added to the document that replaced another.
    if (
      segment &&
      !segment.removed.has(key) &&
      !segment.messages.some((each) => each.key === key)
    ) {
      if (!isStored) await images.remove(fileKey, owner);
      throw tryAgain();
    }
    if ((await messages(db).countDocuments(withFile(fileKey), { limit: 1 })) > 0) return fileKey;
    // Removed in the meantime, with its message or the whole thread.
    await images.remove(fileKey, owner);
    throw notFound('Message');
  }

  serveAdmitted(
    api,
    uploadMessagePhoto,
    admit('photo'),
    async ({ params: { id }, caller: { user }, file }) => {
      const row = await messageOf(id, user._id, 'photo');
      const image_key = await store(
        row,
        user._id,
        (owner) => images.put(file.path, owner),
        (message, key) =>
          changeOwnSegment(services, row, user._id, {
            name: 'message.photo',
            input: {
              ...message,
              image_key: key,
            },
          }),
      );
      return { image_key };
    },
  );

  serveAdmitted(
    api,
    uploadMessageVoice,
    admit('voice'),
    async ({ params: { id }, caller: { user }, file }) => {
      const row = await messageOf(id, user._id, 'voice');
      const sound_key = await store(
        row,
        user._id,
        (owner) => images.putRecording(file.path, owner),
        (message, key) =>
          changeOwnSegment(services, row, user._id, {
            name: 'message.voice',
            input: {
              ...message,
              sound_key: key,
            },
          }),
      );
      return { sound_key };
    },
  );
}
