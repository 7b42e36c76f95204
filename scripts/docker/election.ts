/**
 * How a replica set replaces a primary that fails. Each is half of MongoDB's default, or less: durable writes wait for their sum.
 * What was acknowledged by a majority is on the new primary in any case.
 */
export const ELECTION = {
  electionTimeoutMillis: 5_000,
  /** A new primary first waits for an answer of each member. One that froze never answers. */
  heartbeatTimeoutSecs: 5,
  /** By default, it waits without a limit for what the old one had not replicated. */
  catchUpTimeoutMillis: 1_000,
};
