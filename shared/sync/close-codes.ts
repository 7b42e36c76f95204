/** Why the sync server closes a socket. Browsers show the code in the close event. */
export const closeCodes = {
  /** The server stops. */
  goingAway: 1001,
  /** A text frame. */
  unsupported: 1003,
  /** A message that a correct client never sends. */
  policy: 1008,
  /** A chunk, or the document with it, exceeds a limit. */
  tooLarge: 1009,
  /** The storage is unavailable. Clients reconnect and resend unacknowledged changes. */
  tryAgainLater: 1013,
  /** The user's permissions changed, or the session or access ended. */
  rightsChanged: 4403,
} as const;
