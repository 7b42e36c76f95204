import type { Db, Filter } from 'mongodb';
import { splitMessageId } from '#shared/chat/document.ts';
import type { Draft } from '#shared/chat/drafts.ts';
import type { EvidenceMessage } from '#shared/moderation/admin-contract.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import type { Indexes } from '../../platform/database.ts';
/**
 * `threads`: the segments of two users’ messages. Friends have one; a block ends it, and new friends start another.
 */
export interface ThreadRow {
  _id: string;
  /** `pairId` of the two. */
  pair: string;
  users: [string, string];
  /**
   * Closed while they are not friends. After a block it is one-sided as long as the blocked user is shown something else
   * (decision 50), then removed, and stored for a while so that late writes find it.
   */
  state: 'open' | 'one_sided' | 'closed' | 'removed';
  /** Of a one-sided thread: the blocked user, as long as they are shown the friendship. */
  open_for?: string;
  /** Whether it is not removed: a pair has at most one such thread. */
  is_live: boolean;
  /** Oldest first, at least one. */
  segments: SegmentRow[];
  /** Incremented by each change of the segments. */
  revision: number;
  /** Whether documents, access rights, and contacts documents reflect this row. */
  is_settled: boolean;
  /** Whether contacts documents may list it. */
  is_shown: boolean;
  changed_at: Date;
  /**
   * Segment documents that replace others, or just did, see remove-message.ts. Documents without a place are removed
   * with the thread.
   */
  successions?: { old: string; fresh: string }[];
  /**
   * By user: numbers of older segments with unread messages, as in contacts documents. Unset if there never were any.
   */
  waiting?: Record<string, number[]>;
}

/** Both users’ segments with one number, counted from 1. */
export interface SegmentRow {
  /** Document ids by author. */
  documents: Record<string, string>;
  /** The highest `seq` of the segments before. */
  after: number;
  /** Whether the documents exist. */
  is_made: boolean;
}

/** `drafts`: the latest text that a user has not sent to a friend. */
export interface DraftRow extends Draft {
  /** The ids of both. */
  _id: string;
  user_id: string;
  friend_user_id: string;
  changed_at: Date;
}

export const drafts = (db: Db) => db.collection<DraftRow>('drafts');
export const messages = (db: Db) => db.collection<MessageRow>('messages');
export const threads = (db: Db) => db.collection<ThreadRow>('threads');

/** The states in which one of the users, or both, can write. */
export const WRITABLE: readonly ThreadRow['state'][] = ['open', 'one_sided'];

/** Matches threads in which a user can read and write. */
export const openTo = (userId: string): Filter<ThreadRow> => ({
  users: userId,
  $or: [{ state: 'open' }, { state: 'one_sided', open_for: userId }],
});

/** Returns whether a user can read and write in the thread with this id now. */
export const hasOpenThread = async (db: Db, userId: string, _id: string): Promise<boolean> =>
  (await threads(db).countDocuments({ _id, ...openTo(userId) }, { limit: 1 })) > 0;

/** Returns whether a user of a thread can read and write in it. */
export const isOpenTo = ({ state, open_for }: ThreadRow, userId: string): boolean =>
  state === 'open' || (state === 'one_sided' && open_for === userId);

/** Matches a message by its current or a former id. */
export const byMessageId = (id: string) => ({ $or: [{ _id: id }, { former_ids: id }] });

/** The current id of a message, and its former ones. */
export const idsOf = ({
  _id,
  former_ids = [],
}: Pick<MessageRow, '_id' | 'former_ids'>): string[] => [_id, ...former_ids];

/** Names a message of an author in whichever document it is: a device that sends it again may not know its last one. */
export const authoredKey = (author: string, id: string): string =>
  `${author} ${splitMessageId(id).key}`;

/** The names under which the removal of a message that arrives again or late may be recorded. */
export const deletableIdsOf = (
  row: Pick<MessageRow, '_id' | 'former_ids' | 'sender_user_id'>,
): string[] => [...idsOf(row), authoredKey(row.sender_user_id, row._id)];

/** A copy of a message, as evidence. */
export type MessageCopy = Omit<EvidenceMessage, 'created_at'> & { created_at: Date };

/**
 * `removed_message_hashes`: keyed hashes that verify copies of removed messages, for a while. Its id is the hash.
 */
export interface RemovedMessageHashRow {
  _id: string;
  /** Of the removed message. */
  created_at: Date;
  expires_at: Date;
}

export const removedMessageHashes = (db: Db) =>
  db.collection<RemovedMessageHashRow>('removed_message_hashes');

export const chatIndexes: Indexes = {
  removed_message_hashes: [{ key: { expires_at: 1 } }],
  drafts: [{ key: { user_id: 1 } }, { key: { friend_user_id: 1 } }],
  messages: [
    { key: { thread_id: 1, seq: -1, at: -1, _id: -1 } },
    { key: { thread_id: 1, receiver_user_id: 1, is_read: 1, number: 1 } },
    // For counts by author when a thread may need new segments: from the index alone.
    { key: { thread_id: 1, number: 1, sender_user_id: 1 } },
    { key: { sender_user_id: 1, created_at: -1 } },
    { key: { document_id: 1 } },
    { key: { former_ids: 1 }, sparse: true },
    { key: { removal_began_at: 1 }, sparse: true },
    { key: { 'photo.image_key': 1 }, sparse: true },
    { key: { 'voice.sound_key': 1 }, sparse: true },
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
