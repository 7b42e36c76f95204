import { wholeDollars } from '../money.ts';

/** A billion dollars. */
export const RAISED_MAX_CENTS = 100_000_000_000;

/** Less than 2 MB. */
export const LOGO_MAX_BYTES = 2 * 1024 * 1024 - 1;
export const CHARITY_NAME_MAX = 100;
export const CHARITY_DESCRIPTION_MAX = 2000;
export const LINK_MAX = 500;
/** Maximum lengths of shorter texts. */
export const CHARITY_TEXT_MAX = {
  contact_name: 200,
  phone: 40,
  tax_id: 50,
  address: 200,
  city: 100,
  state: 100,
  zip_code: 20,
} as const;

/** The donated amount without cents: '$1,250+ raised'. */
export const raisedWords = (cents: number): string => `${wholeDollars(cents)}+ raised`;

/** The line above the list: 'Showing 1 verified charity'. @param isCapped whether there are more than counted */
export const countWords = (count: number, isCapped = false): string =>
  `Showing ${count.toLocaleString('en-US')}${isCapped ? '+' : ''} verified ${count === 1 ? 'charity' : 'charities'}`;

/** The UTC date. Each user counts once for each charity and day. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** The reason for a rejection, which the applicant reads. */
export const REJECTION_MAX = 500;

/** Fields that an administrator verified: a link in an old email must not lead donors, or what they send, elsewhere, or show another logo. */
export const VERIFIED_FIELDS = [
  'charity_name',
  'payment_link',
  'website_url',
  'address',
  'city',
  'state',
  'zip_code',
  'logo_key',
] as const;
export const VERIFIED_FIXED =
  'We verified the name, the logo, the links and the address, so only we can change them.';

/** What applicants tell on their page, besides the application. */
export const STORY_MAX = 4_000;
export const GOAL_MAX_CENTS = 100_000_000;
export const UPDATE_TEXT_MAX = 1_000;
/** How many updates a page keeps; the oldest go. */
export const UPDATES_MAX = 20;

/** How many charities the nearest-first order has. */
export const NEAR_MAX = 100;
