import type { MessageRow } from '#shared/server/collections.ts';
import type { Db } from 'mongodb';
import type { Indexes } from '../database.ts';
/** `threads`: where the messages of two people are. Friends have one; a block ends it, and new friends begin another. */
export interface ThreadRow {
  _id: string;
  /** `pairId` of the two. */
  pair: string;
  users: [string, string];
  /** Closed while they are no friends; gone for good after a block, kept for a while so that nothing comes back. */
  state: 'open' | 'closed' | 'removed';
  /** Whether it is not gone: two people have one such at most. */
  is_live: boolean;
  /** Oldest first, at least one. */
  segments: SegmentRow[];
  /** One more by each change of the segments. */
  revision: number;
  /** Whether documents, rights and contacts documents are as this says. */
  is_settled: boolean;
  /** Whether contacts documents may show it as open. */
  is_shown: boolean;
  changed_at: Date;
  /** Documents that are about to take the place of others, or just did, see `withdraw`; what has no place goes with the thread, too. */
  successions?: { old: string; fresh: string }[];
  /** What contacts documents say, by user: see `noteWaiting`. Not there where nothing ever waited. */
  waiting?: Record<string, number[]>;
}

/** Both's segments of one number, which is its place, counted from 1. */
export interface SegmentRow {
  /** Document ids by author. */
  documents: Record<string, string>;
  /** The highest `seq` of the segments before. */
  after: number;
  /** Whether the documents were made. */
  is_made: boolean;
}

export const messages = (db: Db) => db.collection<MessageRow>('messages');
export const threads = (db: Db) => db.collection<ThreadRow>('threads');

export const chatIndexes: Indexes = {
  messages: [
    { key: { thread_id: 1, seq: -1, at: -1, _id: -1 } },
    { key: { thread_id: 1, receiver_user_id: 1, is_read: 1, number: 1 } },
    // Counted by author when a thread may want its next segments: from the index alone.
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
  threads: [
    { key: { pair: 1 }, unique: true, partialFilterExpression: { is_live: true } },
    { key: { users: 1 } },
    { key: { is_settled: 1 }, partialFilterExpression: { is_settled: false } },
    { key: { changed_at: 1 }, partialFilterExpression: { state: 'removed' } },
  ],
};
