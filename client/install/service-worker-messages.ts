/** What the page and its service worker say to one another. */
export const TAKE_OVER = 'take-over';

/** The cache of what /api/files answered. */
export const FILES_CACHE = 'files';
