import { searchWords } from '../normalization/search-text.ts';

export const SEARCH_TERM_MAX = 50;
/** Maximum number of search results. */
export const SEARCH_RESULTS_MAX = 20;
export const INVITATION_DAYS_MAX = 30;
export const INVITATION_DAYS_DEFAULT = 7;
/** The choices in the form; the call accepts any number of days up to the maximum. */
export const INVITATION_DAYS_CHOICES = [1, 3, 7, 14, 30] as const;
/** Number of invitations in the list, newest first. */
export const INVITATIONS_LISTED = 200;

export const INVITATION_CODE_LENGTH = 8;
export const INVITATION_CODE_ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
/** Shorter prefixes would list everyone. */
export const NAME_PART_MIN = 2;

const NAME_WORDS_MAX = 10;
/** The distinct words of a name or search term: 'Zoë O’Neil' is found by 'zoe' and 'neil'. */
export const nameWords = (name: string): string[] =>
  [...new Set(searchWords(name))].slice(0, NAME_WORDS_MAX);

/** The status of an invitation. @param now in milliseconds */
export function invitationStatus(
  { is_used, expires_at }: { is_used: boolean; expires_at: string },
  now: number,
): 'Used' | 'Expired' | 'Active' {
  if (is_used) return 'Used';
  return Date.parse(expires_at) <= now ? 'Expired' : 'Active';
}
