import type { AnyBulkWriteOperation } from 'mongodb';
import {
  messageId,
  readMessage,
  readVector,
  type PartMessage,
  type PartPlace,
} from '#shared/chat/document.ts';
import { covers, furthest, type Vector } from '#shared/chat/rules.ts';
import type { MessageRow } from '#shared/collections.ts';
import type { CoreDocument } from './automerge-core.ts';
import type { Database } from './database.ts';

/** What a part of a thread has got: messages, and how far its author has read the friend's part of the same number. */
export interface PartNews {
  documentId: string;
  authorUserId: string;
  place: PartPlace;
  messages: PartMessage[];
  read: Vector;
}

/** What a part has got since these heads; null when nothing that is projected. What makes no sense in it is left out. */
export function newsOf(
  core: CoreDocument,
  { id, ownerUserId }: { id: string; ownerUserId: string },
  place: PartPlace,
  since: string[],
): PartNews | null {
  const keys = new Set<string>();
  let isRead = false;
  for (const { path } of core.diff(since, core.getHeads())) {
    const [field, key] = path;
    if (field === 'read') isRead = true;
    if (field !== 'messages') continue;
    if (typeof key === 'string') keys.add(key);
    // No honest client puts another map in the place of it.
    else for (const each of Object.keys(asMap(valueAt(core, '/messages')))) keys.add(each);
  }
  const messages = [...keys].flatMap(
    (key) => readMessage(key, valueAt(core, `/messages/${key}`)) ?? [],
  );
  const read = isRead ? readVector(asMap(valueAt(core, '/read'))) : {};
  if (messages.length === 0 && !isRead) return null;
  return { documentId: id, authorUserId: ownerUserId, place, messages, read };
}

const asMap = (value: unknown): object =>
  typeof value === 'object' && value !== null ? value : {};

/** Undefined where there is nothing, or no map. */
function valueAt(core: CoreDocument, path: string): unknown {
  try {
    return core.materialize(path);
  } catch {
    return undefined;
  }
}

/** So many of the words that a message had before are kept: each was looked at by the rules as it came. */
const FORMER_TEXTS_MAX = 20;

/** The news of one part, of which some is older. */
export function joined(older: PartNews | undefined, newer: PartNews): PartNews {
  if (!older) return newer;
  const messages = new Map([...older.messages, ...newer.messages].map((each) => [each.key, each]));
  return { ...newer, messages: [...messages.values()], read: furthest(older.read, newer.read) };
}

/** Brings `messages` in line with the news of some parts. May be repeated. */
export async function writeNews(
  { messages }: Pick<Database, 'messages'>,
  news: readonly PartNews[],
): Promise<void> {
  const rows = news.flatMap((part) => part.messages.map((message) => upsert(part, message)));
  if (rows.length > 0) await messages.bulkWrite(rows, { ordered: false });
  const read = await Promise.all(news.map((part) => newlyRead(messages, part)));
  const ids = read.flat();
  if (ids.length > 0) await messages.updateMany({ _id: { $in: ids } }, { $set: { is_read: true } });
}

function upsert(
  { documentId, authorUserId, place }: PartNews,
  { key, text, ...message }: PartMessage,
): AnyBulkWriteOperation<MessageRow> {
  const now = new Date();
  const facts = {
    thread_id: place.thread_id,
    number: place.number,
    document_id: documentId,
    sender_user_id: authorUserId,
    receiver_user_id: place.friend_user_id,
    ...message,
  };
  const literal = Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, { $literal: value }]),
  );
  // A message that a lying client changes is moderated anew, and what it said is evidence; one that comes again as it was is neither.
  const isSame = { $eq: ['$text', { $literal: text }] };
  const isChanged = { $and: [{ $not: [isSame] }, { $eq: [{ $type: '$text' }, 'string'] }] };
  const before = { $concatArrays: [{ $ifNull: ['$former_texts', []] }, ['$text']] };
  return {
    updateOne: {
      filter: { _id: messageId(documentId, key) },
      update: [
        {
          $set: {
            ...literal,
            text: { $literal: text },
            created_at: { $ifNull: ['$created_at', now] },
            updated_at: { $cond: [isSame, '$updated_at', now] },
            is_read: { $ifNull: ['$is_read', false] },
            is_checked: { $cond: [isSame, '$is_checked', false] },
            former_texts: {
              $cond: [isChanged, { $slice: [before, -FORMER_TEXTS_MAX] }, '$former_texts'],
            },
          },
        },
      ],
      upsert: true,
    },
  };
}

/**
 * The ids of the friend's messages that the author of a part has read by now. Looked for among those that are unread, which
 * are few: a lying client names as many devices as a document holds.
 */
async function newlyRead(
  messages: Database['messages'],
  { authorUserId, place: { thread_id, number }, read }: PartNews,
): Promise<string[]> {
  if (Object.keys(read).length === 0) return [];
  const unread = await messages
    .find(
      { thread_id, receiver_user_id: authorUserId, is_read: false, number },
      { projection: { device: 1, seq: 1 } },
    )
    .toArray();
  return unread.filter((message) => covers(read, message)).map(({ _id }) => _id);
}
