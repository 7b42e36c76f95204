/** More than this is a loop. */
export const REDIRECTS_MAX = 3;

/** Whether an answer with this status names another address to ask in `Location`. */
export const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);
