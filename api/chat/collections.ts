import type { Collection, Db, IndexDescription } from 'mongodb';
import type { MessageRow } from '#shared/collections.ts';
import type { ThreadRow } from './rows.ts';

export interface ChatCollections {
  messages: Collection<MessageRow>;
  threads: Collection<ThreadRow>;
}

/** The api's view of the messages that the sync server projects, and the threads that it keeps itself. */
export const chatCollections = (db: Db): ChatCollections => ({
  messages: db.collection('messages'),
  threads: db.collection('threads'),
});

export const chatIndexes: Record<string, IndexDescription[]> = {
  threads: [
    { key: { pair: 1 }, unique: true, partialFilterExpression: { is_live: true } },
    { key: { users: 1 } },
    { key: { is_settled: 1 }, partialFilterExpression: { is_settled: false } },
    { key: { changed_at: 1 }, partialFilterExpression: { state: 'gone' } },
  ],
  messages: [
    { key: { thread_id: 1, seq: -1, at: -1, _id: -1 } },
    { key: { thread_id: 1, receiver_user_id: 1, is_read: 1, number: 1 } },
    // Counted by author when a thread may want its next parts: from the index alone.
    { key: { thread_id: 1, number: 1, sender_user_id: 1 } },
    { key: { sender_user_id: 1, created_at: -1 } },
    { key: { document_id: 1 } },
    { key: { former_ids: 1 }, sparse: true },
    { key: { created_at: -1 } },
    {
      key: { is_checked: 1, created_at: 1, _id: 1 },
      partialFilterExpression: { is_checked: false },
    },
  ],
};
