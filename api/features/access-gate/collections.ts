import type { Db } from 'mongodb';
import type { Indexes } from '../../platform/database.ts';
import type { Posting } from '../../platform/mail-queue/messages.ts';
import { HAS_ADDRESS } from '../../platform/retention.ts';

/** A use that was just counted and may not be recorded yet. */
export interface Reservation {
  use_id: string;
  /** The user, or the grant of a visitor who has not signed in. */
  claimant: string;
  at: Date;
}

/** `access_codes`. */
export interface AccessCodeRow {
  _id: string;
  /** Upper case, unique. */
  code: string;
  description: string | null;
  /** Null: without limit. */
  max_uses: number | null;
  /** Incremented up to `max_uses` in one atomic update with the reservation. */
  current_uses: number;
  /** Reservations of the last minutes; unset before the first. */
  reservations?: Reservation[];
  is_active: boolean;
  expires_at: Date | null;
  created_at: Date;
  /**
   * For a code from a donation: the hash of the donor’s cookie. That browser may use the code repeatedly.
   */
  holder?: string;
  /** For a member's invitation: who invites. */
  inviter_user_id?: string;
  /**
   * One of the codes of a member's month, by the hash of their address: unique, so that no one gets more, also not with a new
   * account.
   */
  slot?: string;
  /** Created by an admin, for a donation, or for an invitation. */
  source: 'admin' | 'donation' | 'referral';
  /** Words for the admin search: see `api/platform/admin/search.ts`. */
  words: string[];
  /** How often an admin edited it; unset before the first edit. */
  version?: number;
  /** When it was revoked with the access that it gave; unset otherwise. */
  revoked_at?: Date;
  /** Whether an admin had deactivated it before it was revoked. */
  was_inactive?: true;
}

/** `access_code_uses`: they outlive their code. */
export interface AccessCodeUseRow {
  _id: string;
  access_code_id: string;
  /** Null until the visitor signs in. */
  user_id: string | null;
  ip_address: string;
  used_at: Date;
}

/** `access_grants`: access of visitors who haven’t signed in yet. */
export interface AccessGrantRow {
  /** The hash of the cookie's secret. */
  _id: string;
  use_id: string;
  access_code_id: string;
  expires_at: Date;
  /** The user who signed in with it; no other user can. */
  user_id: string | null;
}

/** `access_emails`: reminders and receipts, so that each is sent once. Its id is the cause. */
export interface AccessEmailRow extends Posting {
  /** Null for a donor who hasn't signed in. */
  user_id: string | null;
  at: Date;
}

export const accessEmails = (db: Db) => db.collection<AccessEmailRow>('access_emails');
export const accessCodes = (db: Db) => db.collection<AccessCodeRow>('access_codes');
export const accessCodeUses = (db: Db) => db.collection<AccessCodeUseRow>('access_code_uses');
export const accessGrants = (db: Db) => db.collection<AccessGrantRow>('access_grants');

export const accessIndexes: Indexes = {
  access_codes: [
    { key: { code: 1 }, unique: true },
    { key: { words: 1 } },
    { key: { created_at: -1, _id: -1 } },
    { key: { code: 1, _id: 1 } },
    { key: { current_uses: -1, _id: -1 } },
    { key: { is_active: 1, created_at: -1, _id: -1 } },
    { key: { source: 1, created_at: -1, _id: -1 } },
    { key: { is_active: 1, expires_at: 1 } },
    { key: { 'reservations.at': 1 }, sparse: true },
    { key: { slot: 1 }, unique: true, partialFilterExpression: { slot: { $type: 'string' } } },
    { key: { inviter_user_id: 1 }, sparse: true },
  ],
  access_code_uses: [
    { key: { access_code_id: 1, used_at: -1 } },
    { key: { user_id: 1, used_at: 1 } },
    { key: { used_at: 1 }, partialFilterExpression: HAS_ADDRESS },
  ],
  access_emails: [
    { key: { user_id: 1 } },
    { key: { at: 1 } },
    { key: { 'post.at': 1 }, sparse: true },
  ],
  access_grants: [{ key: { expires_at: 1 } }],
};
