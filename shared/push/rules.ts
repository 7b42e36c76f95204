/** How long a page counts as visible after the last report, and at most how long a push to its device waits; in seconds. */
export const VISIBLE_SECONDS = 75;
/** The most notices that one report names. */
export const SHOWN_MAX = 50;
/** More people can't be muted: an account has room for so many. */
export const MUTED_MAX = 1_000;
/** More muted people are not in the row of the card, which is read often. */
export const STORED_MUTED_MAX = 50;
/** So much of what happened to a person is listed, for so many days. */
export const ACTIVITY_LISTED = 40;
export const ACTIVITY_DAYS = 30;
