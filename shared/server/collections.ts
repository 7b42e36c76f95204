import { createHash } from 'node:crypto';
import type { Dog } from '../dogs/contract.ts';

/** MongoDB collections that both servers use: what a row holds, and who writes it. */

/** `users`, written by the api. */
export interface UserRow {
  _id: string;
  /** The identity provider's name for the person: issuer and subject. Unique. */
  identity: string;
  email: string;
  email_verified: boolean;
  given_name: string;
  name: string;
  picture: string | null;
  /** From ADMIN_EMAILS, refreshed at each sign-in and at each start of the api. */
  is_admin: boolean;
  access_expires_at: Date | null;
  /** Document ids, without `automerge:`. */
  documents: { card: string; account: string; contacts: string };
  documents_ready: boolean;
  created_at: Date;
  /** Until when, by a moderator's decision, this person may write to nobody. */
  restricted_until?: Date | null;
  /** Until when, by a moderator's decision, this person may not use the product. */
  suspended_until?: Date | null;
  /** Since when the account is deleted: the row goes when everything else has gone. */
  deleted_at?: Date;
}

/** `sessions`, written by the api. */
export interface SessionRow {
  /** `tokenHash(token)`. */
  _id: string;
  user_id: string;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  /** The browser and system that signed in, such as 'Chrome on Android'. */
  device: string;
  /** Its user is deleted, and no longer named here. */
  account_deleted?: true;
}

/** `cards`, the projection of card documents, and of the switch in accounts, written by the sync server after each commit. */
export interface CardRow {
  /** The user's id. */
  _id: string;
  document_id: string;
  display_name: string;
  /** `nameWords` of it, to be searched. */
  name_words: string[];
  is_location_sharing_enabled: boolean;
  join_date: string;
  dogs: Dog[];
  updated_at: Date;
  /** Whether the api has applied the word rules to its names as they are. */
  is_checked: boolean;
  /** Names of the owner or of dogs that others do not see, by the word rules or a moderator: see profile/shown-names.ts. */
  hidden_names?: string[];
  /** Names that a moderator shows again, whatever the word rules say. */
  allowed_names?: string[];
}

/**
 * `messages`, the projection of segments of threads, written by the sync server after each commit: one row a message. The
 * api marks what it has looked at.
 */
export interface MessageRow {
  /** `messageId` of it. */
  _id: string;
  thread_id: string;
  /** The segment's number and document. */
  number: number;
  document_id: string;
  sender_user_id: string;
  receiver_user_id: string;
  text: string;
  seq: number;
  device: string;
  /** ISO 8601, by the author's clock: of two with the same `seq` the earlier one stands first. */
  at: string;
  /** By the server's clock, when it was first on the disk. */
  created_at: Date;
  updated_at: Date;
  is_read: boolean;
  /** Whether the api has moderated it as it is. */
  is_checked: boolean;
  /** Waits for a moderator, and is shown to nobody else. */
  is_hidden?: boolean;
  /** What it was called before its segment was written anew. */
  former_ids?: string[];
  /** What it said before its author's client, which is none of ours, changed it: oldest first, the last few. */
  former_texts?: string[];
}

/**
 * `signals`, a small capped collection that servers tail: something about a user changed, drop what you cached.
 * Whoever changes a fact writes the signal after it.
 */
export interface SignalRow {
  topic: 'card' | 'user' | 'session' | 'blocks' | 'alert' | 'message' | 'moderation';
  /**
   * The user's id; of `alert`, that of the emergency alert that began, changed or is over; of `message`, the thread's; of
   * `moderation` nobody's where rules changed.
   */
  user_id: string;
  at: Date;
}

/** The hash under which a secret in a cookie is stored: a session's id, whose grant, donation or ad it is. */
export const tokenHash = (token: string): string =>
  createHash('sha256').update(token).digest('base64url');

type Grant = Pick<UserRow, 'is_admin' | 'access_expires_at'>;
type Restrictions = Pick<UserRow, 'restricted_until' | 'suspended_until'>;

/** Whether a user is past the gate. */
export const hasAccess = (user: Grant, now: Date): boolean =>
  user.is_admin || (user.access_expires_at !== null && user.access_expires_at > now);

/** Whether somebody may not use the product for now. */
export const isSuspended = ({ suspended_until }: Restrictions, now: Date): boolean =>
  !!suspended_until && suspended_until > now;

/** Whether somebody may write to nobody for now. */
export const isRestricted = ({ restricted_until }: Restrictions, now: Date): boolean =>
  !!restricted_until && restricted_until > now;

/** Whether a user may pass where members may. */
export const mayPass = (user: Grant & Restrictions, now: Date): boolean =>
  hasAccess(user, now) && !isSuspended(user, now);
