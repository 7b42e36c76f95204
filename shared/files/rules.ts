/** Less than 5 MB, as the error message says. */
export const IMAGE_MAX_BYTES = 5 * 1024 * 1024 - 1;
