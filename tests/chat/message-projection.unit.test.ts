import type { AnyBulkWriteOperation } from 'mongodb';
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import type { MessageRow } from '#shared/server/collections.ts';
import type { SegmentChanges } from '../../sync-server/core/documents/segment-changes.ts';
import { markRead, writeMessages } from '../../sync-server/plugins/messages.ts';
import { Projections } from '../../sync-server/plugins/projections.ts';

type UnreadRow = Pick<
  MessageRow,
  '_id' | 'thread_id' | 'receiver_user_id' | 'number' | 'device' | 'seq'
>;

const unreadRow = (fields: Pick<MessageRow, '_id' | 'device' | 'seq'> & Partial<UnreadRow>) => ({
  thread_id: 'thread',
  receiver_user_id: 'reader',
  number: 1,
  ...fields,
});

const readSegment = (fields: Partial<SegmentChanges> = {}): SegmentChanges => ({
  documentId: 'segment',
  authorUserId: 'reader',
  place: { thread_id: 'thread', number: 1, friend_user_id: 'writer', after: 0 },
  messages: [],
  read: { d7: 3 },
  operations: 1,
  ...fields,
});

/** Creates a fake collection with these unread messages of the friend, which records the calls. @param stored ids of stored rows */
function collection(unread: UnreadRow[], stored: string[] = []) {
  const asked = { finds: 0, updates: [] as object[] };
  const messages = {
    find: () => {
      asked.finds += 1;
      return { toArray: async () => unread };
    },
    updateMany: async (filter: object) => void asked.updates.push(filter),
    bulkWrite: async (writes: AnyBulkWriteOperation<MessageRow>[]) => {
      asked.updates.push(...writes);
      const upserted = writes.flatMap((write, index) => {
        const { upsert, filter } = 'updateOne' in write ? write.updateOne : {};
        const id = String(filter?._id);
        return upsert && !stored.includes(id) ? [[index, id]] : [];
      });
      return { upsertedIds: Object.fromEntries(upserted) as Record<number, string> };
    },
  };
  return { asked, messages: messages as never };
}

test('looks for read messages among the unread ones only, however many devices are named', async () => {
  const { asked, messages } = collection([
    unreadRow({ _id: 'read', device: 'd7', seq: 3 }),
    unreadRow({ _id: 'later', device: 'd7', seq: 4 }),
    unreadRow({ _id: 'of-another-device', device: 'constructor', seq: 1 }),
  ]);
  const devices = Array.from({ length: 20_000 }, (_, i) => [`d${i}`, 3]);
  const read = Object.fromEntries(devices) as Record<string, number>;
  await markRead({ messages }, [readSegment({ read })]);
  expect(asked).toEqual({ finds: 1, updates: [{ _id: { $in: ['read'] } }] });
});

test('looks for the messages that several people have read in one query, and marks only those of each', async () => {
  const { asked, messages } = collection([
    unreadRow({ _id: 'read', device: 'd7', seq: 3 }),
    unreadRow({ _id: 'of-another-reader', receiver_user_id: 'slow', device: 'd7', seq: 3 }),
    unreadRow({ _id: 'of-another-thread', thread_id: 'other', device: 'd7', seq: 3 }),
    unreadRow({ _id: 'of-another-segment', number: 2, device: 'd7', seq: 3 }),
  ]);
  await markRead({ messages }, [
    readSegment(),
    readSegment({ documentId: 'of slow', authorUserId: 'slow', read: { d7: 2 } }),
  ]);
  expect(asked).toEqual({ finds: 1, updates: [{ _id: { $in: ['read'] } }] });
});

test('a segment that replaces another one in the same batch doesn’t hide what was read in it', async () => {
  const { asked, messages } = collection([
    unreadRow({ _id: 'one', device: 'd7', seq: 3 }),
    unreadRow({ _id: 'other', device: 'd8', seq: 1 }),
  ]);
  await markRead({ messages }, [
    readSegment({ documentId: 'old', read: { d7: 3 } }),
    readSegment({ documentId: 'new', read: { d8: 1 } }),
  ]);
  expect(asked).toEqual({ finds: 1, updates: [{ _id: { $in: ['one', 'other'] } }] });
});

test('inserts new messages, and updates only those that are stored', async () => {
  const message = (key: string) => ({ key, seq: 1, device: 'd7', at: 'now', text: key });
  const { asked, messages } = collection([], ['segment.stored']);
  const segment = readSegment({ read: {} });
  await writeMessages(
    { messages },
    ['new', 'stored'].map((key) => ({ segment, message: message(key) })),
  );
  expect(asked.updates).toMatchObject([
    { updateOne: { filter: { _id: 'segment.new' }, upsert: true, update: { $setOnInsert: {} } } },
    { updateOne: { filter: { _id: 'segment.stored' }, upsert: true } },
    { updateOne: { filter: { _id: 'segment.stored' }, update: [{ $set: {} }] } },
  ]);
});

test('writes the first change at once and gathers the next ones, unless someone waits for them', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const { asked, messages } = collection([]);
    const database = { messages, cards: {}, signals: {} } as never;
    const projections = new Projections(database, pino({ level: 'silent' }), () => {});
    const change = (documentId: string) => projections.segment(readSegment({ documentId }));
    const untilIdle = async () => {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    };
    change('first');
    await untilIdle();
    expect(asked.finds).toBe(1);
    change('second');
    await untilIdle();
    change('third');
    await untilIdle();
    expect(asked.finds).toBe(1);
    await vi.advanceTimersByTimeAsync(210);
    expect(asked.finds).toBe(2);
    change('fourth');
    await untilIdle();
    expect(asked.finds).toBe(2);
    await projections.settled();
    expect(asked.finds).toBe(3);
  } finally {
    vi.useRealTimers();
  }
});
