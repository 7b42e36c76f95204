import type { AnyBulkWriteOperation } from 'mongodb';
import { messageId, type SegmentMessage } from '#shared/chat/document.ts';
import { covers, furthest } from '#shared/chat/rules.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import type { Database } from '../core/database.ts';
import type { SegmentChanges } from '../core/documents/segment-changes.ts';

/** A query of more alternatives takes MongoDB long to plan. */
const ALTERNATIVES_MAX = 100;
/** Number of earlier texts that are stored of a changed message. The moderation rules checked each of them. */
const FORMER_TEXTS_MAX = 20;

/** Returns the changes of both states of a segment. Decision 122. */
export function merged(one: SegmentChanges | undefined, other: SegmentChanges): SegmentChanges {
  if (!one) return other;
  const [older, newer] = one.operations > other.operations ? [other, one] : [one, other];
  const messages = new Map([...older.messages, ...newer.messages].map((each) => [each.key, each]));
  return {
    ...newer,
    messages: [...messages.values()],
    read: furthest(older.read, newer.read),
  };
}

/** A message of a segment. */
export interface ProjectedMessage {
  segment: SegmentChanges;
  message: SegmentMessage;
}

/** Writes messages of thread segments. May be repeated; an older state may come after a newer one. */
export async function writeMessages(
  { messages }: Pick<Database, 'messages'>,
  projected: readonly ProjectedMessage[],
): Promise<void> {
  if (projected.length === 0) return;
  const { upsertedIds } = await messages.bulkWrite(
    projected.map(({ segment, message }) => insertion(segment, message)),
    { ordered: false },
  );
  const stored = projected.filter((_, index) => !(index in upsertedIds));
  // These are few, and a pipeline costs MongoDB more than an insertion.
  if (stored.length > 0)
    await messages.bulkWrite(
      stored.map(({ segment, message }) => update(segment, message)),
      { ordered: false },
    );
}

/** Notes which messages the authors of segments have read. May be repeated. */
export async function markRead(
  { messages }: Pick<Database, 'messages'>,
  reading: readonly SegmentChanges[],
): Promise<void> {
  const ids: string[] = [];
  for (let from = 0; from < reading.length; from += ALTERNATIVES_MAX)
    ids.push(...(await newlyRead(messages, reading.slice(from, from + ALTERNATIVES_MAX))));
  if (ids.length > 0) await messages.updateMany({ _id: { $in: ids } }, { $set: { is_read: true } });
}

const filterOf = ({ documentId }: SegmentChanges, { key }: SegmentMessage) => ({
  _id: messageId(documentId, key),
});

function fieldsOf({ documentId, authorUserId, place }: SegmentChanges, message: SegmentMessage) {
  const { key: _, ...fields } = message;
  return {
    thread_id: place.thread_id,
    number: place.number,
    document_id: documentId,
    sender_user_id: authorUserId,
    receiver_user_id: place.friend_user_id,
    ...fields,
  };
}

/** Returns the write that stores a new message, and leaves a stored one as it is. */
function insertion(
  segment: SegmentChanges,
  message: SegmentMessage,
): AnyBulkWriteOperation<MessageRow> {
  const now = new Date();
  const row = {
    ...fieldsOf(segment, message),
    created_at: now,
    updated_at: now,
    is_read: false,
    is_checked: false,
    operations: segment.operations,
  };
  return {
    updateOne: {
      filter: filterOf(segment, message),
      update: { $setOnInsert: row },
      upsert: true,
    },
  };
}

/** Returns the write that updates a stored message. */
function update(
  segment: SegmentChanges,
  message: SegmentMessage,
): AnyBulkWriteOperation<MessageRow> {
  const literals = Object.fromEntries(
    Object.entries(fieldsOf(segment, message)).map(([name, value]) => [name, { $literal: value }]),
  );
  // If a manipulated client changes a message, it is moderated again and its former text is evidence.
  const isSame = { $eq: ['$text', { $literal: message.text }] };
  const formerTexts = { $concatArrays: [{ $ifNull: ['$former_texts', []] }, ['$text']] };
  const projected = {
    ...literals,
    updated_at: { $cond: [isSame, '$updated_at', new Date()] },
    is_checked: { $cond: [isSame, '$is_checked', false] },
    former_texts: {
      $cond: [isSame, '$former_texts', { $slice: [formerTexts, -FORMER_TEXTS_MAX] }],
    },
  };
  const { operations } = segment;
  const isNewer = { $lte: [{ $ifNull: ['$operations', 0] }, operations] };
  const newest = Object.fromEntries(
    Object.entries({ ...projected, operations: { $literal: operations } }).map(([name, value]) => [
      name,
      { $cond: [isNewer, value, `$${name}`] },
    ]),
  );
  return {
    updateOne: {
      filter: filterOf(segment, message),
      update: [{ $set: newest }],
    },
  };
}

/**
 * Returns the ids of the friends' messages that the authors of segments have now read. Looks only at unread messages, which
 * are few: a manipulated client can name as many devices as a document has room for.
 */
async function newlyRead(
  messages: Database['messages'],
  changes: readonly SegmentChanges[],
): Promise<string[]> {
  const unread = await messages
    .find(
      {
        $or: changes.map(({ authorUserId, place: { thread_id, number } }) => ({
          thread_id,
          receiver_user_id: authorUserId,
          is_read: false,
          number,
        })),
      },
      { projection: { thread_id: 1, receiver_user_id: 1, number: 1, device: 1, seq: 1 } },
    )
    .toArray();
  const isRead = (message: (typeof unread)[number]) =>
    changes.some(
      ({ authorUserId, place, read }) =>
        place.thread_id === message.thread_id &&
        place.number === message.number &&
        authorUserId === message.receiver_user_id &&
        covers(read, message),
    );
  return unread.filter(isRead).map(({ _id }) => _id);
}
