import type { Db } from 'mongodb';
import type { PublishedCard } from '#shared/friends/friend-card.ts';
import type { Indexes } from '../../platform/database.ts';
/**
 * `pairs`: the relationship of two users. Blocks are in the same row, so that no action can bypass one.
 */
export interface PairRow {
  /** Both ids in order, see `pairId`. */
  _id: string;
  users: [string, string];
  relationship: 'none' | 'pending' | 'friends' | 'blocked';
  since: Date;
  /**
   * Who made the last change, and when by their device’s clock, because a device may send it later. Unset before the
   * first change.
   */
  made?: { by: string; at: Date };
  /** The last friend request; null after a removal or block. */
  request: RequestEntry | null;
  /** Messages of requests that are not in the thread of the new friends yet: their first messages. */
  first_messages?: FirstMessage[];
  /** Blocks by one user, the other, or both. */
  blocks: BlockEntry[];
  /** Whether they ever were friends and may have read each other’s cards. */
  were_friends: boolean;
  /** Incremented by each change; 0 before the first. */
  version: number;
  /**
   * By user: the version at which their view last changed. Users who never saw anything are not listed.
   */
  views: Record<string, number>;
  /** By user: the document through which they see the other’s card while they are friends. */
  cards?: Record<string, string>;
  /** Card documents of former friendships, to be removed, and removed again later. */
  former_cards?: { ids: string[]; at: Date };
  /** By user: when their last request was denied, or looked denied to them. They rest after it (decision 50). */
  denied_at?: Record<string, Date>;
  /** What a blocked user is shown for a while after the block (decision 50). */
  earlier_view?: EarlierView;
  /** Whether the contacts documents and card documents reflect this version. */
  is_projected: boolean;
}

interface RequestEntry {
  id: string;
  sender_user_id: string;
  receiver_user_id: string;
  status: 'pending' | 'accepted' | 'denied';
  message: string | null;
  created_at: Date;
  updated_at: Date;
}

/** What somebody wrote with a friend request. */
export interface FirstMessage {
  /** The id of the request: the message's key follows from it. */
  id: string;
  author: string;
  text: string;
  at: Date;
}

export interface BlockEntry {
  id: string;
  blocker_user_id: string;
  blocked_user_id: string;
  blocked_user_name: string;
  reason: string | null;
  created_at: Date;
  /** When it was made: a device may have sent it later. */
  made_at: Date;
  /** The blocker’s card at that time: all that the blocked user is shown of it from then on. */
  card?: PublishedCard;
  /** When `card` is deleted, because nothing shows it any more. */
  forget_card_at?: Date;
}

/** The relationship as a blocked user is shown it: the one before the block, and what their own actions make of it. */
export interface EarlierView extends Pick<PairRow, 'since' | 'request' | 'made'> {
  /** The blocked user. */
  user_id: string;
  until: Date;
  relationship: 'friends' | 'pending' | 'none';
  /** Whether they ended a friendship that they were shown: the messages stay as after any other unfriending. */
  was_friend?: boolean;
  /** The pair’s version if there were no block. */
  version: number;
}

export const pairs = (db: Db) => db.collection<PairRow>('pairs');

export const friendIndexes: Indexes = {
  pairs: [
    { key: { users: 1, relationship: 1 } },
    { key: { 'request.id': 1 }, partialFilterExpression: { 'request.id': { $exists: true } } },
    { key: { is_projected: 1 }, partialFilterExpression: { is_projected: false } },
    { key: { 'former_cards.at': 1 }, sparse: true },
    { key: { 'earlier_view.until': 1 }, sparse: true },
    { key: { 'blocks.forget_card_at': 1 }, sparse: true },
  ],
};
