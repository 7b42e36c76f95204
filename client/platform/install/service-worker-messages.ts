/** Messages between the page and its service worker. */
export const TAKE_OVER = 'take-over';
/** The type of a message to a page: it must show another page, whose `path` it contains. */
export const OPEN_PAGE = 'open-page';

/** The cache of /api/files. */
export const FILES_CACHE = 'files';

/** The service worker asks a page for its path, with a port for the answer: the address that it knows is the one of the last load. */
export const ASK_PATH = 'ask-path';
