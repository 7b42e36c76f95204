/** Calls that one start may ask for. */
export const START_CALLS_MAX = 16;
