import type { Db } from 'mongodb';
import type { Indexes } from '../../platform/database.ts';
import { randomToken } from '../../platform/random-token.ts';

/** `friend_links`: one per user who has shown their QR code. */
export interface FriendLinkRow {
  /** The owner. */
  _id: string;
  /** Unique; replaced when the owner renews the link. */
  token: string;
  created_at: Date;
  /** Codes for one scan each; the last ones of any device. They don’t work after their end, and are removed later. */
  live?: { token: string; until: Date }[];
}

export const friendLinks = (db: Db) => db.collection<FriendLinkRow>('friend_links');

export const friendLinkIndexes: Indexes = {
  friend_links: [
    { key: { token: 1 }, unique: true },
    { key: { 'live.token': 1 }, sparse: true },
  ],
};

/** Returns a user’s friend link, which is made at the first time. */
export async function friendLinkOf(db: Db, _id: string): Promise<FriendLinkRow> {
  const row = await friendLinks(db).findOneAndUpdate(
    { _id },
    { $setOnInsert: newLink() },
    { upsert: true, returnDocument: 'after' },
  );
  if (!row) throw new Error('the friend link was not stored');
  return row;
}

const TOKEN_BYTES = 16;
/** A token that no one can guess. */
export const newToken = (): string => randomToken(TOKEN_BYTES);
/** What a new link has. */
export const newLink = () => ({ token: newToken(), created_at: new Date() });
