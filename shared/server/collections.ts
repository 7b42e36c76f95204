import { createHash } from 'node:crypto';
import type { Edited, MessagePhoto, MessageVoice, ReplyTo } from '../chat/document.ts';
import type { Dog } from '../dogs/contract.ts';
import type { StoredPushChoices } from '../push/document.ts';

/** Rows of the MongoDB collections that both servers use. */

/** `users`, written by the API. */
export interface UserRow {
  _id: string;
  /** Issuer and subject from the identity provider. Unique. */
  identity: string;
  email: string;
  email_verified: boolean;
  given_name: string;
  name: string;
  picture: string | null;
  /** From ADMIN_EMAILS or `is_made_admin`; updated at each sign-in and at each start of the API. */
  is_admin: boolean;
  /** Whether `npm run admin -- make-admin` made this user an admin. */
  is_made_admin?: true;
  access_expires_at: Date | null;
  /** The days before the end of access of the last reminder; unset before the first, and after a renewal. */
  access_reminded_days?: number;
  /** Document ids, without `automerge:`. */
  documents: { card: string; account: string; contacts: string };
  documents_ready: boolean;
  /** The documents that these replaced, oldest first (decision 392). The sync server has the last one of each kind. */
  former_documents?: { card?: string[]; account?: string[]; contacts?: string[] };
  /** The id of the profile, if it is no longer that of the card. */
  profile_id?: string;
  created_at: Date;
  /** Until when the user may not write messages, by a moderator's decision. */
  restricted_until?: Date | null;
  /** Until when the user may not use the product, by a moderator's decision. */
  suspended_until?: Date | null;
  /** When the account was deleted. The row is removed after all other data of the user. */
  deleted_at?: Date;
}

/** `sessions`, written by the API. */
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
  /** Its user was deleted; `user_id` no longer identifies them. */
  account_deleted?: true;
}

/**
 * `cards`, the projection of card documents and of the sharing setting in account documents, written by the sync server after each
 * commit.
 */
export interface CardRow {
  /** The user's id. */
  _id: string;
  document_id: string;
  display_name: string;
  /** `nameWords` of the display name, for the search. */
  name_words: string[];
  is_location_sharing_enabled: boolean;
  /** Of the account. Missing until a sync server has opened it since an earlier version; null if only the document has room for it. */
  push?: StoredPushChoices | null;
  /** How many operations the account had when `push` and `is_location_sharing_enabled` were read from it. */
  push_operations?: number;
  sharing_operations?: number;
  join_date: string;
  image_key?: string | null | undefined;
  about?: string | null | undefined;
  dogs: Dog[];
  updated_at: Date;
  /** Whether the API has applied the word rules to the current names. */
  is_checked: boolean;
  /** Names of the owner or dogs, breeds and lines about owners that are hidden from others by the word rules or a moderator: see profile/shown-names.ts. */
  hidden_names?: string[];
  /** Names that a moderator allowed in spite of the word rules. */
  allowed_names?: string[];
  /** The display name when it was last checked: only a new one may be refused as reserved. */
  checked_name?: string;
}

/**
 * `messages`, the projection of thread segments, written by the sync server after each commit: one row per message. The API
 * sets the moderation fields.
 */
export interface MessageRow {
  /** From `messageId`. */
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
  /** ISO 8601, by the author's clock. Orders messages with the same `seq`. */
  at: string;
  reply_to?: ReplyTo;
  photo?: MessagePhoto;
  voice?: MessageVoice;
  place_id?: string;
  /** Which message it replaces. */
  edited?: Edited;
  /** When it was first stored, by the server's clock; for an edited one, when its first version was. */
  created_at: Date;
  updated_at: Date;
  is_read: boolean;
  /** Whether the API has moderated the current text. */
  is_checked: boolean;
  /** Hidden from everyone but moderators until one reviews it. */
  is_hidden?: boolean;
  /** When its removal began, which a background job finishes if nobody repeats it. */
  removal_began_at?: Date;
  /** Its ids before its segment was rewritten. */
  former_ids?: string[];
  /** Its last texts before a manipulated client changed it, oldest first. */
  former_texts?: string[];
}

/**
 * `signals`, a small capped collection that all servers tail to invalidate cached data of a user. A signal is inserted after the
 * change that it announces.
 */
export interface SignalRow {
  topic: 'card' | 'user' | 'session' | 'blocks' | 'alert' | 'message' | 'moderation' | 'documents';
  /**
   * The user's id. Of `alert`, the id of an emergency alert that started, changed or ended; of `message`, empty; of `moderation`, empty
   * if the rules changed; of `documents`, the id of the sync node that changed documents or permissions.
   */
  user_id: string;
  /** For records of `documents`: the order for other sync nodes. Without one, they read the log. */
  order?: unknown;
  at: Date;
}

/** Returns the hash under which a token from a cookie is stored: of a session, grant, donation or ad. */
export const tokenHash = (token: string): string =>
  createHash('sha256').update(token).digest('base64url');

type Grant = Pick<UserRow, 'is_admin' | 'access_expires_at'>;
type Restrictions = Pick<UserRow, 'restricted_until' | 'suspended_until'>;

/** Whether a user has passed the access gate. */
export const hasAccess = (user: Grant, now: Date): boolean =>
  user.is_admin || (user.access_expires_at !== null && user.access_expires_at > now);

/** Whether a user may not use the product now. */
export const isSuspended = ({ suspended_until }: Restrictions, now: Date): boolean =>
  !!suspended_until && suspended_until > now;

/** Whether a user may not write messages now. */
export const isRestricted = ({ restricted_until }: Restrictions, now: Date): boolean =>
  !!restricted_until && restricted_until > now;

/** Whether a user may use what members may use. */
export const mayPass = (user: Grant & Restrictions, now: Date): boolean =>
  hasAccess(user, now) && !isSuspended(user, now);
