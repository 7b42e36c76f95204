import * as A from '@automerge/automerge';
import { Binary, MongoClient } from 'mongodb';
import { SEGMENT_FULL } from '#shared/chat/document.ts';
import { documentKinds } from '#shared/document-kinds.ts';
import { deleteFriend } from '#shared/friends/contract.ts';
import type { ThreadRow } from '../../api/features/chat/collections.ts';
import { newSegment } from '../../api/features/chat/threads.ts';
import type { Visitor } from '../../scripts/cli/api-session.ts';
import type { DocumentRow } from '../../sync-server/core/database.ts';
import { befriend } from '../../tests/friends/befriend.ts';

const { segment: kind } = documentKinds;
const BATCH = 40;

/**
 * Stores a thread of this many messages for two friends, half by each, in full segments on the disk, as after years.
 * Removing and renewing the friendship makes the API update both contacts documents.
 */
export async function writeLongThread(
  mongodbUri: string,
  databaseName: string,
  [one, other]: readonly [Visitor, Visitor],
  count: number,
): Promise<void> {
  const client = await MongoClient.connect(mongodbUri);
  try {
    const db = client.db(databaseName);
    const threads = db.collection<ThreadRow>('threads');
    const users = [one.user.id, other.user.id];
    const thread = await threads.findOne({ users: { $all: users }, is_live: true });
    if (!thread) throw new Error('the two have no thread');
    const segments = Array.from({ length: Math.ceil(count / 2 / SEGMENT_FULL) }, (_, i) => ({
      ...newSegment(users, i * 2 * SEGMENT_FULL),
      is_made: true,
    }));
    for (let from = 0; from < segments.length; from += BATCH) {
      const rows = segments.slice(from, from + BATCH).flatMap((segment, i) =>
        users.map((author, which): DocumentRow => {
          const number = from + i + 1;
          const own = Math.min(SEGMENT_FULL, Math.ceil(count / 2) - (number - 1) * SEGMENT_FULL);
          return {
            _id: segment.documents[author] ?? '',
            kind: 'segment',
            owner_user_id: author,
            reader_user_ids: users.filter((user) => user !== author),
            place: placeOf(thread, users[1 - which] ?? '', number, segment.after),
            snapshot: new Binary(
              savedSegment(
                thread,
                author,
                users[1 - which] ?? '',
                number,
                segment.after,
                own,
                which,
              ),
            ),
            snapshot_version: 0,
            snapshot_at: new Date(),
            created_at: new Date(),
          };
        }),
      );
      await db.collection<DocumentRow>('documents').insertMany(rows);
    }
    await threads.updateOne({ _id: thread._id }, { $set: { segments }, $inc: { revision: 1 } });
  } finally {
    await client.close();
  }
  await one.call(deleteFriend, { params: { friendUserId: other.user.id } });
  await befriend(one, other);
}

const placeOf = (thread: ThreadRow, friend_user_id: string, number: number, after: number) => ({
  thread_id: thread._id,
  number,
  friend_user_id,
  after,
});

function savedSegment(
  thread: ThreadRow,
  author: string,
  friend: string,
  number: number,
  after: number,
  count: number,
  which: number,
): Uint8Array {
  const place = placeOf(thread, friend, number, after);
  const messages = Array.from({ length: count }, (_, i) => ({
    key: `m${i}`,
    seq: after + 2 * i + which + 1,
    device: `d${number % 50}`,
    at: new Date(Date.UTC(2020, 0, 1) + (after + 2 * i + which) * 60_000).toISOString(),
    text: `What was said as number ${after + 2 * i + which + 1}, some way along the lake`,
  }));
  const doc = A.change(A.from({ ...kind.initial(author, '', place) }), (draft) => {
    kind.changes['messages.restore'].apply(draft, { messages });
    kind.changes['marks.set'].apply(draft, {
      received: { [`d${number % 50}`]: after + 2 * SEGMENT_FULL },
      read: { [`d${number % 50}`]: after + 2 * SEGMENT_FULL },
    });
  });
  return A.save(doc);
}
