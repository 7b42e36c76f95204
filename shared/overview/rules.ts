/** How many days the charts show, including today, in UTC. */
export const OVERVIEW_DAYS = 30;
/** How many of the newest admin actions are shown. */
export const CHANGES_SHOWN = 8;
/** For how many days a failed message stays in the list of what waits. */
export const FAILED_DAYS = 7;
