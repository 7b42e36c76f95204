/** How long a code or a donation gives access. Apart from the calls, so that a screen without them stays small. */
export const ACCESS_DAYS = 30;
