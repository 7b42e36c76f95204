import {
  initialSegment,
  messageId,
  segmentChanges,
  type SegmentMessage,
} from '#shared/chat/document.ts';
import { covers, reachOf } from '#shared/chat/rules.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import { DAY_MS, MINUTE_MS } from '#shared/time.ts';
import type { ThreadRow } from '../../api/features/chat/collections.ts';
import type { PairRow } from '../../api/features/relationships/collections.ts';
import type { DocumentRow } from '../../sync-server/core/database.ts';
import { MESSAGES } from './sample-data.ts';
import { savedDocument } from './saved-document.ts';
import { type Street } from './user-cluster.ts';

/** The thread of two friends with its two segments and their messages. */
export interface Conversation {
  thread: ThreadRow;
  documents: DocumentRow[];
  messages: MessageRow[];
}

const NUMBER = 1;
const DEVICE = 'seed';
/** The share of friends who have written to each other, and the maximum age of their last message in days. */
const TALKATIVE = 0.5;
const DAYS_AGO_MAX = 60;

/** Creates the conversation of two friends. It depends on the street and the pair only. */
export function createConversation(street: Street, pair: PairRow): Conversation {
  const thread_id = street.id(`thread ${pair._id}`);
  const [low, high] = pair.users;
  const documentOf = (user: string) => street.documentId(`segment ${pair._id} ${user}`);
  const thread: ThreadRow = {
    _id: thread_id,
    pair: pair._id,
    users: pair.users,
    state: 'open',
    is_live: true,
    segments: [
      { documents: { [low]: documentOf(low), [high]: documentOf(high) }, after: 0, is_made: true },
    ],
    revision: 0,
    is_settled: true,
    is_shown: true,
    changed_at: pair.since,
  };

  const written = writeMessages(street, pair);
  const by = (user: string) => written.filter(({ author }) => author === user);
  const documents: DocumentRow[] = [];
  const messages: MessageRow[] = [];
  for (const [author, friend] of [
    [low, high],
    [high, low],
  ] as const) {
    const place = { thread_id, number: NUMBER, friend_user_id: friend, after: 0 };
    const document_id = documentOf(author);
    const segment = initialSegment(author, '', place);
    for (const { message } of by(author)) segmentChanges['message.add'].apply(segment, message);
    const received = reachOf(by(friend).map(({ message }) => message));
    const read = reachOf(by(friend).flatMap(({ message, isRead }) => (isRead ? [message] : [])));
    segmentChanges['marks.set'].apply(segment, { received, read });
    const owner = { id: author, joined: pair.since };
    documents.push(
      savedDocument('segment', owner, document_id, segment, { readers: [friend], place }),
    );
    // The friend's segment contains how far the friend has read.
    const readByFriend = reachOf(
      by(author).flatMap(({ message, isRead }) => (isRead ? [message] : [])),
    );
    for (const { message } of by(author)) {
      const { key, ...fields } = message;
      const at = new Date(message.at);
      messages.push({
        _id: messageId(document_id, key),
        thread_id,
        number: NUMBER,
        document_id,
        sender_user_id: author,
        receiver_user_id: friend,
        ...fields,
        created_at: at,
        updated_at: at,
        is_read: covers(readByFriend, message),
        is_checked: true,
      });
    }
  }
  return { thread, documents, messages };
}

interface WrittenMessage {
  author: string;
  message: SegmentMessage;
  isRead: boolean;
}

/** Creates the messages of two friends, oldest first. In some conversations the last one is unread. */
function writeMessages(street: Street, { _id, users, since }: PairRow): WrittenMessage[] {
  const random = street.random(`talk ${_id}`);
  if (!random.chance(TALKATIVE)) return [];
  const count = random.integer(1, MESSAGES.length);
  const isLastRead = random.chance(0.7);
  const newest = street.now.getTime() - random.uniform() ** 2 * DAYS_AGO_MAX * DAY_MS;
  const last = Math.max(newest, since.getTime() + DAY_MS);
  const gap = random.integer(1, 90) * MINUTE_MS;
  const first = random.integer(0, MESSAGES.length - 1);
  return Array.from({ length: count }, (_, i) => {
    const author = users[(i + first) % 2] ?? users[0];
    const at = new Date(last - (count - 1 - i) * gap);
    return {
      author,
      message: {
        key: `m${i}`,
        seq: i + 1,
        device: DEVICE,
        at: at.toISOString(),
        text: MESSAGES[(first + i) % MESSAGES.length] ?? '',
      },
      isRead: isLastRead || i < count - 1,
    };
  });
}
