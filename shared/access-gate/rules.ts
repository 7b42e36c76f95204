export const DESCRIPTION_MAX = 500;
export const CODE_MAX = 50;
export const GATE_CODE_MAX = 20;

/** How long a code or a donation gives access. Apart from the calls, so that a screen without them stays small. */
export const ACCESS_DAYS = 30;
