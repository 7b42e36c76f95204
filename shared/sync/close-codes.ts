/** Why the sync server closes a socket. Browsers show the code in the close event. */
export const closeCodes = {
  /** The server stops. */
  goingAway: 1001,
  /** A text frame. */
  unsupported: 1003,
  /** What no honest client sends. */
  policy: 1008,
  /** A chunk, or the document with it, is over a limit. */
  tooLarge: 1009,
  /** Storage does not answer: what was not acknowledged is to be sent again. */
  tryAgainLater: 1013,
  /** What the user may read or write has changed, or the session or the access has ended. */
  rightsChanged: 4403,
} as const;
