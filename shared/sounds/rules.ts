export const SOUND_NAME_MAX = 50;
/** Less than 1 MB, as the error message says. */
export const SOUND_MAX_BYTES = 1024 * 1024 - 1;
export const SOUND_MAX_SECONDS = 10;
