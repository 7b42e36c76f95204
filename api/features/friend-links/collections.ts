import type { Db } from 'mongodb';
import type { Indexes } from '../../platform/database.ts';

/** `friend_links`: one per user who has shown their QR code. */
export interface FriendLinkRow {
  /** The owner. */
  _id: string;
  /** Unique; replaced when the owner renews the link. */
  token: string;
  created_at: Date;
}

export const friendLinks = (db: Db) => db.collection<FriendLinkRow>('friend_links');

export const friendLinkIndexes: Indexes = {
  friend_links: [{ key: { token: 1 }, unique: true }],
};
