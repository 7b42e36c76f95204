/** Half of MongoDB's default: writes wait for it after the primary has failed. */
export const ELECTION = { electionTimeoutMillis: 5_000 };
