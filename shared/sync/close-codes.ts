/** Why the sync server closes a socket. What it refuses about one document closes nothing: see refusals.ts. */
export const closeCodes = {
  /** The server stops. */
  goingAway: 1001,
  /** A text frame. */
  unsupported: 1003,
  /** Not a message of the protocol, or no `join` in time. */
  policy: 1008,
  /** A frame exceeds the limit. */
  tooLarge: 1009,
  /** The storage is unavailable. Clients reconnect and resend unacknowledged changes. */
  tryAgainLater: 1013,
  /** The user's permissions changed, or the session or access ended. */
  rightsChanged: 4403,
} as const;
