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
export interface Limiter {
  (key: string): Promise<void>;
  /** The same, without using up a point. */
  check(key: string): Promise<void>;
  /** Takes back what was used up for something that could not be done now, and comes again. */
  giveBack(key: string): Promise<void>;
  /** Uses up points, by default one, where there are any. @returns whether there were as many */
  admits(key: string, points?: number): Promise<boolean>;
}

const COLLECTION = 'rate_limits';

/** Takes away what no longer counts. */
export const sweepLimits = ({ db }: Database): Promise<unknown> =>
  db.collection(COLLECTION).deleteMany({ expire: { $lt: new Date() } });

/** Forgets what is counted of a user. */
export async function forgetLimits({ db }: Database, userId: string): Promise<void> {
  await db.collection(COLLECTION).deleteMany({ key: { $regex: `:${userId}$` } });
}

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
          // They are in the table of all indexes, made once before any limiter is.
          disableIndexesCreation: true,
          insuranceLimiter: new RateLimiterMemory(options),
        })
      : new RateLimiterMemory(options);
    const take = async (key: string, wanted = 1) => {
      try {
        await limiter.consume(key, wanted);
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        throw tooMany(refused);
      }
    };
    const check = async (key: string) => {
      const used = await limiter.get(key);
      if (used && used.consumedPoints >= options.points) throw tooMany(used);
    };
    const admits = async (key: string, wanted?: number) => {
      try {
        await take(key, wanted);
        return true;
      } catch (error) {
        if (error instanceof Refusal) return false;
        throw error;
      }
    };
    const giveBack = async (key: string) => {
      await limiter.reward(key);
    };
    return Object.assign(take, { check, giveBack, admits });
  };
}

function tooMany({ msBeforeNext }: RateLimiterRes): Refusal {
  const after = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new Refusal(429, 'Too many attempts. Please wait a moment and try again.', {
    headers: { 'retry-after': String(after) },
  });
}
