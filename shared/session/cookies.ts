export const SESSION_COOKIE = 'session';
/** Tells scripts that there is a session cookie. It has the same lifetime and no secret. */
export const SIGNED_IN_COOKIE = 'signed-in';
