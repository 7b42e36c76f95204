import {
  initialSegment,
  messageId,
  segmentChanges,
  type SegmentMessage,
} from '#shared/chat/document.ts';
import { covers, reachOf } from '#shared/chat/rules.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import type { ThreadRow } from '../../api/chat/collections.ts';
import type { DocumentRow } from '../../sync-server/database.ts';
import { savedDocument } from './saved-document.ts';
import { DAY_MS, MINUTE_MS, type Street } from './user-cluster.ts';
import { MESSAGES } from './sample-data.ts';
import type { PairRow } from '../../api/friends/collections.ts';

/** What two friends have of one another: their thread, its two segments, and what they wrote. */
export interface Talk {
  thread: ThreadRow;
  documents: DocumentRow[];
  messages: MessageRow[];
}

const NUMBER = 1;
const DEVICE = 'seed';
/** So many of all friends have written to each other, up to so many days ago. */
const TALKATIVE = 0.5;
const DAYS_AGO_MAX = 60;

/** The same for the same street and pair each time. */
export function talkOf(street: Street, pair: PairRow): Talk {
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

  const written = write(street, pair);
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
    const made = { id: author, joined: pair.since };
    documents.push(
      savedDocument('segment', made, document_id, segment, { readers: [friend], place }),
    );
    // How far the friend has read stands in the friend's segment.
    const readByFriend = reachOf(
      by(author).flatMap(({ message, isRead }) => (isRead ? [message] : [])),
    );
    for (const { message } of by(author)) {
      const { key, ...facts } = message;
      const at = new Date(message.at);
      messages.push({
        _id: messageId(document_id, key),
        thread_id,
        number: NUMBER,
        document_id,
        sender_user_id: author,
        receiver_user_id: friend,
        ...facts,
        created_at: at,
        updated_at: at,
        is_read: covers(readByFriend, message),
        is_checked: true,
      });
    }
  }
  return { thread, documents, messages };
}

interface Written {
  author: string;
  message: SegmentMessage;
  isRead: boolean;
}

/** What the two wrote, first to last, the newest some time ago; of some the newest is not read yet. */
function write(street: Street, { _id, users, since }: PairRow): Written[] {
  const chance = street.choices(`talk ${_id}`);
  if (!chance.chance(TALKATIVE)) return [];
  const count = chance.whole(1, MESSAGES.length);
  const isLastRead = chance.chance(0.7);
  const newest = street.now.getTime() - chance.uniform() ** 2 * DAYS_AGO_MAX * DAY_MS;
  const last = Math.max(newest, since.getTime() + DAY_MS);
  const gap = chance.whole(1, 90) * MINUTE_MS;
  const first = chance.whole(0, MESSAGES.length - 1);
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
