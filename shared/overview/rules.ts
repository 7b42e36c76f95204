/** How many days are counted again after their end, including today, in UTC. */
export const OVERVIEW_DAYS = 30;
/** How many days of money the overview reads: the longest period, and as many days before it. */
export const MONEY_DAYS = 180;
/** How many of the newest admin actions are shown. */
export const CHANGES_SHOWN = 8;
/** For how many days a failed message stays in the list of what waits. */
export const FAILED_DAYS = 7;
