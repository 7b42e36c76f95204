import type { Db } from 'mongodb';
import type { Indexes } from '../../platform/database.ts';
import type { Posting } from '../../platform/mail-queue/messages.ts';

/** `search_invitations`. */
export interface SearchInvitationRow extends Posting {
  inviter_user_id: string;
  invited_email: string | null;
  /** Unique. */
  code: string;
  /** When it was first used for a search. */
  used_at: Date | null;
  /** Null again once that account is deleted; then no one else can use the code. */
  used_by_user_id: string | null;
  expires_at: Date;
  created_at: Date;
  /** How often it was emailed again. */
  resent?: number;
  /** Whether the contacts document reflects this row; unset also in rows from before documents had invitations. */
  is_projected?: true | null;
}

export const searchInvitations = (db: Db) =>
  db.collection<SearchInvitationRow>('search_invitations');

export const invitationIndexes: Indexes = {
  search_invitations: [
    { key: { code: 1 }, unique: true },
    { key: { inviter_user_id: 1, created_at: -1 } },
    { key: { invited_email: 1 } },
    { key: { used_at: 1 }, partialFilterExpression: { invited_email: { $gt: '' } } },
    { key: { created_at: 1 }, partialFilterExpression: { invited_email: { $gt: '' } } },
    { key: { used_by_user_id: 1 } },
    { key: { expires_at: 1 } },
    { key: { is_projected: 1 } },
    { key: { 'post.at': 1 }, sparse: true },
  ],
};
