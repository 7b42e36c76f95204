import type { Db } from 'mongodb';
import type { Indexes } from '../database.ts';
/** `pairs`: what two people are to one another, told once. Blocks are in the same row, so that nothing can get past one. */
export interface PairRow {
  /** Both ids in order, see `pairId`. */
  _id: string;
  users: [string, string];
  relationship: 'none' | 'pending' | 'friends' | 'blocked';
  since: Date;
  /** Who made it so, and when, by their account: a device may bring it later. Unset before the first change. */
  made?: { by: string; at: Date };
  /** The last request that one made to the other; none once they parted or one blocked the other. */
  request: RequestEntry | null;
  /** Of one, the other, or both. */
  blocks: BlockEntry[];
  /** Whether they ever were friends, and so may have read each other's cards. */
  were_friends: boolean;
  /** One more by each change; 0 before the first. */
  version: number;
  /** By user: the version at which what they may see of this last changed. Whoever was never to see anything is not here. */
  views: Record<string, number>;
  /** By user: the document through which they see the other's card, while they are friends. */
  cards?: Record<string, string>;
  /** Such documents of friendships that are over, to be removed, and once more after a while. */
  former_cards?: { ids: string[]; at: Date };
  /** Whether both contacts documents and the documents have this version. */
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

export interface BlockEntry {
  id: string;
  blocker_user_id: string;
  blocked_user_id: string;
  blocked_user_name: string;
  reason: string | null;
  created_at: Date;
  /** When it was done: a device may have brought it later. */
  made_at: Date;
}

export const pairs = (db: Db) => db.collection<PairRow>('pairs');

export const friendIndexes: Indexes = {
  pairs: [
    { key: { users: 1, relationship: 1 } },
    { key: { 'request.id': 1 }, partialFilterExpression: { 'request.id': { $exists: true } } },
    { key: { is_projected: 1 }, partialFilterExpression: { is_projected: false } },
    { key: { 'former_cards.at': 1 }, sparse: true },
  ],
};
