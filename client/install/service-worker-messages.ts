/** Messages between the page and its service worker. */
export const TAKE_OVER = 'take-over';

/** The cache of /api/files. */
export const FILES_CACHE = 'files';
