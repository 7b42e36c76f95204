import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { emailAddress } from '../normalization/email-address.ts';
import { typedCode } from '../normalization/typed-code.ts';
import {
  INVITATION_CODE_LENGTH,
  NAME_PART_MIN,
  nameWords,
  SEARCH_TERM_MAX,
  INVITATION_DAYS_MAX,
  INVITATION_DAYS_DEFAULT,
} from './rules.ts';

const TERM_REQUIRED = 'Please enter a search term';
const CODE_FORMAT = `Search codes have ${INVITATION_CODE_LENGTH} letters or digits (A–Z, 0–9)`;
const CODE_REQUIRED = 'Search invitation code is required to find new users';
/** For unknown and expired codes, and codes that another user redeemed. */
export const CODE_UNKNOWN = 'Invalid or expired search code';

export const searchFields = z.object({
  query: z
    .string({ error: TERM_REQUIRED })
    .trim()
    .min(1, TERM_REQUIRED)
    // Counts letters and digits of distinct words: punctuation and repeated words do not narrow a search.
    .refine(
      (query) => nameWords(query).join('').length >= NAME_PART_MIN,
      `Please enter at least ${NAME_PART_MIN} characters`,
    )
    .max(SEARCH_TERM_MAX, `Please enter at most ${SEARCH_TERM_MAX} characters`),
  invitation_code: z
    .string({ error: CODE_REQUIRED })
    .overwrite(typedCode)
    .min(1, CODE_REQUIRED)
    .regex(/^[A-Z0-9]*$/, CODE_FORMAT)
    .length(INVITATION_CODE_LENGTH, CODE_FORMAT),
});

export const foundUser = z.object({
  user_id: z.string(),
  display_name: z.string(),
  is_friend: z.boolean(),
  /** In either direction. */
  has_pending_request: z.boolean(),
  /** By the searcher; users who blocked the searcher are not found. */
  is_blocked: z.boolean(),
});
export type FoundUser = z.infer<typeof foundUser>;

/**
 * Finds members whose names have a word for each word of the query that begins with it. Requires a code by another member:
 * the first search redeems it, and it stays valid for the searcher until it expires.
 */
export const searchUsers = endpoint('POST', '/users/search', {
  access: 'member',
  body: searchFields,
  answer: z.object({
    users: z.array(foundUser),
    /** Whether there are more results. */
    has_more: z.boolean(),
  }),
  failure: 'Search failed',
});
/** Replaces `failure` without a response. */
export const SEARCH_UNANSWERED = 'Failed to search users';

export const searchInvitation = z.object({
  id: z.string(),
  inviter_user_id: z.string(),
  /** Null once the account with the address is deleted. */
  invited_email: z.string().nullable(),
  invitation_code: z.string(),
  is_used: z.boolean(),
  expires_at: z.iso.datetime(),
  created_at: z.iso.datetime(),
  /** The delivery status of the email; null if none is sent, and the inviter shares the code. */
  delivery: z.enum(['waiting', 'sent', 'failed']).nullable(),
  /** Whether its link lets somebody new in, too. */
  admits: z.boolean().optional(),
});
export type SearchInvitation = z.infer<typeof searchInvitation>;

/** The user's own invitations, newest first. */
export const listInvitations = endpoint('GET', '/search-invitations', {
  access: 'member',
  answer: z.object({
    invitations: z.array(searchInvitation),
    /** How many more invitations of this month let somebody new in, and of how many. */
    codes_left: z.number().int().optional(),
    codes_per_month: z.number().int().optional(),
  }),
  failure: 'Failed to fetch invitations',
});

export const invitationFields = z
  .object({
    invited_email: emailAddress().optional(),
    /** Without an address: the inviter shares the link. */
    by_link: z.literal(true).optional(),
    expires_in_days: z
      .number()
      .int()
      .min(1)
      .max(INVITATION_DAYS_MAX)
      .default(INVITATION_DAYS_DEFAULT),
  })
  .refine(({ invited_email, by_link }) => by_link || invited_email !== undefined, {
    path: ['invited_email'],
    error: 'Required',
  });

const ofInvitation = z.object({ id: z.string().min(1).max(64) });

/** Ends an invitation of the caller: its code finds no one any more, and it leaves the list. */
export const revokeInvitation = endpoint('DELETE', '/search-invitations/:id', {
  access: 'member',
  params: ofInvitation,
  failure: 'Failed to revoke invitation',
});

/**
 * Emails the code of an unused invitation once more. 409 `not_emailed` if that isn’t possible: the inviter shares the code.
 */
export const resendInvitation = endpoint('POST', '/search-invitations/:id/resend', {
  access: 'member',
  params: ofInvitation,
  answer: z.object({ invitation: searchInvitation }),
  failure: 'Failed to send invitation',
});

/** Finds who made an invitation, for a member who opens its link. It counts as a search with its code. */
export const openInvitation = endpoint('POST', '/search-invitations/open', {
  access: 'member',
  body: searchFields.pick({ invitation_code: true }),
  answer: z.object({ user: foundUser }),
  failure: 'Failed to open this invitation',
});

/** Creates a code and, while the member has some left this month, an access code; emails the link if possible. */
export const createInvitation = endpoint('POST', '/search-invitations', {
  access: 'member',
  body: invitationFields,
  answer: z.object({ invitation: searchInvitation }),
  failure: 'Failed to create invitation',
});
