export const SAVED_NAME_MAX = 60;
export const SAVED_TEXT_MAX = 1_000;
/** Of each kind; views of each admin. */
export const SAVED_MAX = 50;
