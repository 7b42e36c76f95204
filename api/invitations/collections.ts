import type { Posting } from '../outbox/messages.ts';

/** `search_invitations`. */
export interface SearchInvitationRow extends Posting {
  inviter_user_id: string;
  invited_email: string | null;
  /** Unique. */
  code: string;
  /** When the first search was made with it. */
  used_at: Date | null;
  /** By whom; null again once that account is deleted, and nobody else's then. */
  used_by_user_id: string | null;
  expires_at: Date;
  created_at: Date;
}
