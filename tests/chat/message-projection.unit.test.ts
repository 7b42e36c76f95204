import type { AnyBulkWriteOperation } from 'mongodb';
import { expect, test } from 'vitest';
import type { MessageRow } from '#shared/server/collections.ts';
import { projectMessages } from '../../sync-server/projections/projections.ts';

/** Creates a fake collection with these unread messages of the friend, which records the calls. */
function collection(unread: Pick<MessageRow, '_id' | 'device' | 'seq'>[]) {
  const asked = { finds: 0, updates: [] as object[] };
  const messages = {
    find: () => {
      asked.finds += 1;
      return { toArray: async () => unread };
    },
    updateMany: async (filter: object) => void asked.updates.push(filter),
    bulkWrite: async (writes: AnyBulkWriteOperation<MessageRow>[]) => {
      asked.updates.push(...writes);
    },
  };
  return { asked, messages: messages as never };
}

test('looks for read messages among the unread ones only, however many devices are named', async () => {
  const { asked, messages } = collection([
    { _id: 'read', device: 'd7', seq: 3 },
    { _id: 'later', device: 'd7', seq: 4 },
    { _id: 'of-another-device', device: 'constructor', seq: 1 },
  ]);
  const devices = Array.from({ length: 20_000 }, (_, i) => [`d${i}`, 3]);
  await projectMessages({ messages }, [
    {
      documentId: 'segment',
      authorUserId: 'reader',
      place: { thread_id: 'thread', number: 1, friend_user_id: 'writer', after: 0 },
      messages: [],
      read: Object.fromEntries(devices) as Record<string, number>,
      operations: 1,
    },
  ]);
  expect(asked).toEqual({ finds: 1, updates: [{ _id: { $in: ['read'] } }] });
});
