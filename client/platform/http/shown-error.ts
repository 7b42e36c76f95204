/** An error whose message is written for people. No other error's message may be shown: `messageOf` sees to that. */
export class ShownError extends Error {}
