import type { Filter, Db } from 'mongodb';
import { type Conversation, type Message } from '#shared/chat/contract.ts';
import { FOUND_MAX, seqAfter } from '#shared/chat/rules.ts';
import type { ChangeInput } from '#shared/document-kinds.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import { type ThreadRow, messages } from './collections.ts';
import { searchPattern } from './search-pattern.ts';
import { unplacedDocuments } from './segment-documents.ts';

/** 100,000 messages take a fraction of this. */
const SEARCH_MAX_MS = 5_000;

/** Newest first: the order of `inOrder`, reversed. */
const NEWEST_FIRST = { seq: -1, at: -1, _id: -1 } as const;
/** The index of a thread’s messages. */
export const OF_THREAD = { thread_id: 1, ...NEWEST_FIRST } as const;
/**
 * Matches the messages of threads that a user may see: held messages only to their author, and no duplicates while a
 * message is being removed.
 */
const shownOf = (threads: readonly ThreadRow[], reader: string): Filter<MessageRow> => ({
  thread_id: { $in: threads.map(({ _id }) => _id) },
  document_id: { $nin: threads.flatMap(unplacedDocuments) },
  $or: [{ is_hidden: { $ne: true } }, { sender_user_id: reader }],
});

/** Returns a message as both users may see it. */
export const presentMessage = (row: MessageRow): Message => ({
  id: row._id,
  sender_user_id: row.sender_user_id,
  receiver_user_id: row.receiver_user_id,
  message_text: row.text,
  is_read: row.is_read,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/**
 * Returns a page of a thread for one user. Page 1 is the newest; within a page the oldest comes first.
 */
export async function readPage(
  db: Db,
  thread: ThreadRow,
  reader: string,
  { page, limit }: { page: number; limit: number },
): Promise<{ messages: Message[]; hasMore: boolean }> {
  const rows = await messages(db)
    .find(shownOf([thread], reader), {
      sort: NEWEST_FIRST,
      skip: (page - 1) * limit,
      limit: limit + 1,
    })
    .toArray();
  return {
    messages: rows.slice(0, limit).toReversed().map(presentMessage),
    hasMore: rows.length > limit,
  };
}

/** Finds messages in a user’s threads by text, newest first. */
export const searchThreads = (
  db: Db,
  threads: readonly ThreadRow[],
  reader: string,
  words: string,
): Promise<MessageRow[]> =>
  messages(db)
    .find({
      ...shownOf(threads, reader),
      text: { $regex: searchPattern(words) },
    })
    // Otherwise the planner may scan all users’ messages by time.
    .hint(OF_THREAD)
    .sort({ created_at: -1 })
    .limit(FOUND_MAX)
    .maxTimeMS(SEARCH_MAX_MS)
    .toArray();

/** Returns the highest `seq` of a thread; 0 if it is empty. */
export async function highestSeq(db: Db, thread_id: string): Promise<number> {
  const row = await messages(db).findOne(
    { thread_id },
    { sort: { seq: -1 }, projection: { seq: 1 } },
  );
  return row?.seq ?? 0;
}

/** Returns a message after all others of a thread, written by the server for its author. */
export async function newMessage(
  db: Db,
  { _id, segments }: ThreadRow,
  { key, text, at }: { key: string; text: string; at: Date },
): Promise<ChangeInput<'segment', 'message.add'>> {
  const after = segments.at(-1)?.after ?? 0;
  return {
    key,
    seq: seqAfter(Math.max(after, await highestSeq(db, _id))),
    // Concurrent calls have no order, so each counts as a device of its own.
    device: key.slice(0, 16),
    at: at.toISOString(),
    text,
  };
}

/** Returns the last message and unread count of a thread; null if it is empty. */
export async function readConversation(
  db: Db,
  thread: ThreadRow,
  reader: string,
): Promise<Omit<Conversation, 'friend_user_id' | 'friend_display_name'> | null> {
  const shown = shownOf([thread], reader);
  const [last, unread_count] = await Promise.all([
    messages(db).findOne(shown, { sort: NEWEST_FIRST }),
    messages(db).countDocuments({ ...shown, receiver_user_id: reader, is_read: false }),
  ]);
  if (!last) return null;
  return {
    last_message: last.text,
    is_own: last.sender_user_id === reader,
    last_activity: last.created_at.toISOString(),
    unread_count,
  };
}
