import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from './database.ts';
import { Refusal } from './refusal.ts';

export interface Limit {
  name: string;
  points: number;
  seconds: number;
  /** Counted in MongoDB, for all nodes and across restarts: for what can be guessed. Otherwise in this process. */
  shared?: boolean;
}

/** @throws Refusal 429 with Retry-After when `key` has used up its points */
export type Limiter = (key: string) => Promise<void>;

const COLLECTION = 'rate_limits';

/** Takes away what no longer counts. */
export const sweepLimits = ({ db }: Database): Promise<unknown> =>
  db.collection(COLLECTION).deleteMany({ expire: { $lt: new Date() } });

/** @param scale multiplies every limit: RATE_LIMIT_SCALE */
export function limiters(database: Database, scale: number): (limit: Limit) => Limiter {
  return ({ name, points, seconds, shared }) => {
    const options = {
      keyPrefix: name,
      points: Math.max(1, Math.round(points * scale)),
      duration: seconds,
    };
    const limiter = shared
      ? new RateLimiterMongo({
          ...options,
          storeClient: database.client,
          dbName: database.db.databaseName,
          tableName: COLLECTION,
          insuranceLimiter: new RateLimiterMemory(options),
        })
      : new RateLimiterMemory(options);
    return async (key) => {
      try {
        await limiter.consume(key);
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        const after = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
        throw new Refusal(429, 'Too many attempts. Please wait a moment and try again.', {
          headers: { 'retry-after': String(after) },
        });
      }
    };
  };
}
