import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { INVITATION_CODE_LENGTH, NAME_PART_MIN, nameWords } from './rules.ts';

export const SEARCH_TERM_MAX = 50;
/** How many people a search shows at most; whoever looks for one of more must say more of the name. */
export const SEARCH_RESULTS_MAX = 20;
export const INVITATION_DAYS_MAX = 30;
export const INVITATION_DAYS_DEFAULT = 7;
/** What the form offers; the call takes any number of days up to the most. */
export const INVITATION_DAYS_CHOICES = [1, 3, 7, 14, 30] as const;
/** How many of one's invitations are listed, the latest first. */
export const INVITATIONS_LISTED = 200;

const TERM_REQUIRED = 'Please enter a search term';
const CODE_FORMAT = `Invitation codes have ${INVITATION_CODE_LENGTH} letters or digits (A–Z, 0–9)`;
const CODE_REQUIRED = 'Search invitation code is required to find new users';
/** Of a code that is none, whether nobody made it, it is over, or somebody else uses it. */
export const CODE_UNKNOWN = 'Invalid or expired invitation code';

export const searchFields = z.object({
  query: z
    .string({ error: TERM_REQUIRED })
    .trim()
    .min(1, TERM_REQUIRED)
    // Of letters and digits: signs are in no name, and a word that is typed twice says no more.
    .refine(
      (query) => nameWords(query).join('').length >= NAME_PART_MIN,
      `Please enter at least ${NAME_PART_MIN} characters`,
    )
    .max(SEARCH_TERM_MAX, `Please enter at most ${SEARCH_TERM_MAX} characters`),
  invitation_code: z
    .string({ error: CODE_REQUIRED })
    .trim()
    .toUpperCase()
    .min(1, CODE_REQUIRED)
    .regex(/^[A-Z0-9]*$/, CODE_FORMAT)
    .length(INVITATION_CODE_LENGTH, CODE_FORMAT),
});

export const foundUser = z.object({
  user_id: z.string(),
  display_name: z.string(),
  is_friend: z.boolean(),
  /** Whoever of the two has asked. */
  has_pending_request: z.boolean(),
  /** By whoever searches; those who blocked them are not found at all. */
  is_blocked: z.boolean(),
});
export type FoundUser = z.infer<typeof foundUser>;

/**
 * Members of whose name each word of the query begins a word. It needs a code that another member made: the first search
 * with it makes it the searcher's own until it expires.
 */
export const searchUsers = endpoint({
  method: 'POST',
  path: '/users/search',
  access: 'member',
  body: searchFields,
  answer: z.object({
    users: z.array(foundUser),
    /** Whether there are more than are shown. */
    has_more: z.boolean(),
  }),
  failure: 'Search failed',
});
/** In place of `failure` where there was no answer at all. */
export const SEARCH_UNANSWERED = 'Failed to search users';

export const searchInvitation = z.object({
  id: z.string(),
  inviter_user_id: z.string(),
  /** Null once whoever has the address deleted their account. */
  invited_email: z.string().nullable(),
  invitation_code: z.string(),
  is_used: z.boolean(),
  expires_at: z.iso.datetime(),
  created_at: z.iso.datetime(),
  /** Where the letter with the code is; null when none goes out, and the code is to be handed over. */
  delivery: z.enum(['waiting', 'sent', 'failed']).nullable(),
});
export type SearchInvitation = z.infer<typeof searchInvitation>;

/** One's own, the latest first. */
export const listInvitations = endpoint({
  method: 'GET',
  path: '/search-invitations',
  access: 'member',
  answer: z.object({ invitations: z.array(searchInvitation) }),
  failure: 'Failed to fetch invitations',
});

export const invitationFields = z.object({
  invited_email: z.string().trim().toLowerCase().max(320).pipe(z.email()),
  expires_in_days: z
    .number()
    .int()
    .min(1)
    .max(INVITATION_DAYS_MAX)
    .default(INVITATION_DAYS_DEFAULT),
});

/** Makes a code, and sends it by letter where that is possible. */
export const createInvitation = endpoint({
  method: 'POST',
  path: '/search-invitations',
  access: 'member',
  body: invitationFields,
  answer: z.object({ invitation: searchInvitation }),
  failure: 'Failed to create invitation',
});
