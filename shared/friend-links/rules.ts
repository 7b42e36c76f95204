/** For so long a code that is shown for a scan works. */
export const LIVE_CODE_SECONDS = 60;
/** A shown code is replaced after so long, so that it works for a while longer. */
export const LIVE_CODE_SHOWN_SECONDS = 45;
/** The codes of one person that work at the same time: the one that is shown, and the one before. */
export const LIVE_CODES_MAX = 2;
