import type { Db } from 'mongodb';
import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import { HttpError } from '#shared/http/http-error.ts';
import type { Indexes } from '../database.ts';
import type { Network } from './request-origin.ts';

export interface Limit {
  name: string;
  points: number;
  seconds: number;
  /**
   * Counted in MongoDB, across nodes and restarts: for what can be guessed. Otherwise in this process.
   */
  shared?: boolean;
}

/**
 * The counted key: a user’s id or another name, or the networks of an address, which count together.
 */
export type LimitKey = string | Network;

/** @throws HttpError 429 with Retry-After when `key` has used up its points; the error of MongoDB, if a shared limit can't be counted */
export interface Limiter {
  (key: LimitKey): Promise<void>;
  /** The same, without using a point. */
  check(key: LimitKey): Promise<void>;
  /** Returns whether a point is left, without using it. */
  hasLeft(key: LimitKey): Promise<boolean>;
  /** Returns the point of a call that failed now and will be repeated. */
  giveBack(key: LimitKey): Promise<void>;
  /**
   * Uses a point of each network, or none.
   * @returns releases them
   * @throws HttpError 429 with Retry-After
   */
  reserve(key: LimitKey): Promise<() => Promise<void>>;
  /**
   * Uses points, one by default, if available.
   * @returns whether they were available
   */
  admits(key: LimitKey, points?: number): Promise<boolean>;
}

/** The factor of points for each wider network. */
const WIDER_NETWORK = 4;
const NETWORK_LEVELS = 3;

const COLLECTION = 'rate_limits';

/** Deletes expired counts. */
export const runLimitsJob = (db: Db): Promise<unknown> =>
  db.collection(COLLECTION).deleteMany({ expire: { $lt: new Date() } });

/** Deletes a user’s counts. */
export async function forgetLimits(db: Db, userId: string): Promise<void> {
  await db.collection(COLLECTION).deleteMany({ key: { $regex: `:${userId}$` } });
}

/** Declares a limit. */
export interface Limiters {
  /** @throws when a limit has this name: they would count together */
  (limit: Limit): Limiter;
  /** All declared limits, by name. */
  declared: ReadonlyMap<string, { limit: Limit; limiter: Limiter }>;
  /** @throws when RATE_LIMITS names a limit that none is called, with the names of all. Call it when all are declared */
  checkChanges(): void;
  /** Changes the scale of all limits. Counts in memory start again, as after a restart. */
  setScale(scale: number): void;
}

/** How many points in how many seconds. */
export type Rate = Pick<Limit, 'points' | 'seconds'>;

/** Node ends longer timers at once, and with them the counts in memory. */
const TIMER_MAX_SECONDS = Math.floor((2 ** 31 - 1) / 1000);

const RATE_SETTING = /^(.+)=(\d+)\/(\d+)$/;

/**
 * Reads RATE_LIMITS, such as `sign-in=20/60, POST /hazards=5/3600`.
 * @returns the rates by the names of limits; null when it can't be read
 */
export function readRates(text: string): Map<string, Rate> | null {
  const rates = new Map<string, Rate>();
  for (const part of text.split(',').map((each) => each.trim())) {
    if (part === '') continue;
    const [, name = '', points, seconds] = RATE_SETTING.exec(part) ?? [];
    const rate = { points: Number(points), seconds: Number(seconds) };
    if (!(rate.points >= 1 && rate.seconds >= 1)) return null;
    rates.set(name.trim(), rate);
  }
  return rates;
}

/**
 * @param initialScale multiplies every limit: RATE_LIMIT_SCALE
 * @param changed the rates of single limits, by name: RATE_LIMITS
 */
export function createLimiters(
  db: Db,
  initialScale: number,
  changed: ReadonlyMap<string, Rate> = new Map(),
): Limiters {
  let scale = initialScale;
  const declared = new Map<string, { limit: Limit; limiter: Limiter }>();
  const rebuilds: (() => void)[] = [];

  function declare(limit: Limit): Limiter {
    const { name, shared } = limit;
    const { points, seconds } = changed.get(name) ?? limit;
    if (declared.has(name)) throw new Error(`two limits have the name ${name}`);
    const build = () =>
      Array.from({ length: NETWORK_LEVELS }, (_, level) => {
        const options = {
          keyPrefix: name,
          points: Math.max(1, Math.round(points * WIDER_NETWORK ** level * scale)),
          duration: shared ? seconds : Math.min(seconds, TIMER_MAX_SECONDS),
        };
        if (!shared) return new RateLimiterMemory(options);
        return new RateLimiterMongo({
          ...options,
          storeClient: db.client,
          dbName: db.databaseName,
          tableName: COLLECTION,
          // All indexes are created at the start.
          disableIndexesCreation: true,
        });
      });
    let levels = build();
    rebuilds.push(() => (levels = build()));
    /** @returns each key with its limiter, the narrowest network first */
    const counted = (key: LimitKey) =>
      (typeof key === 'string' ? [key] : key).flatMap((each, level) => {
        const limiter = levels[level];
        return limiter ? [{ key: each, limiter }] : [];
      });
    const take = async (keys: LimitKey, wanted = 1) => {
      try {
        // In order: a point rejected for a network doesn’t count for the wider one.
        for (const { key, limiter } of counted(keys)) await limiter.consume(key, wanted);
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        throw tooMany(refused);
      }
    };
    const check = async (keys: LimitKey) => {
      for (const { key, limiter } of counted(keys)) {
        const used = await limiter.get(key);
        if (used && used.consumedPoints >= limiter.points) throw tooMany(used);
      }
    };
    const admits = (key: LimitKey, wanted?: number) => isAdmitted(take(key, wanted));
    const hasLeft = (key: LimitKey) => isAdmitted(check(key));
    const giveBack = async (keys: LimitKey) => {
      for (const { key, limiter } of counted(keys)) await limiter.reward(key);
    };
    const reserve = async (keys: LimitKey) => {
      const reserved: ReturnType<typeof counted> = [];
      const release = async () => {
        for (const { key, limiter } of reserved) await limiter.reward(key);
      };
      for (const each of counted(keys)) {
        // The library also counts rejected points.
        reserved.push(each);
        try {
          await each.limiter.consume(each.key);
        } catch (refused) {
          if (!(refused instanceof RateLimiterRes)) throw refused;
          await release();
          throw tooMany(refused);
        }
      }
      return release;
    };
    const limiter = Object.assign(take, { check, hasLeft, giveBack, reserve, admits });
    declared.set(name, { limit, limiter });
    return limiter;
  }

  return Object.assign(declare, {
    declared,
    checkChanges() {
      const unknown = [...changed.keys()].find((name) => !declared.has(name));
      if (unknown === undefined) return;
      const known = [...declared].map(
        ([name, { limit }]) => `${name}=${limit.points}/${limit.seconds}`,
      );
      throw new Error(
        `The API can’t start: RATE_LIMITS: no limit is called ${unknown}. All limits: ${known.toSorted().join(', ')}`,
      );
    },
    setScale(next: number) {
      scale = next;
      for (const rebuild of rebuilds) rebuild();
    },
  });
}

async function isAdmitted(limit: Promise<void>): Promise<boolean> {
  try {
    await limit;
    return true;
  } catch (error) {
    if (error instanceof HttpError) return false;
    throw error;
  }
}

function tooMany({ msBeforeNext }: RateLimiterRes): HttpError {
  const after = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new HttpError(429, 'Too many attempts. Wait a moment and try again.', {
    headers: { 'retry-after': String(after) },
  });
}

export const rateLimitIndexes: Indexes = {
  rate_limits: [
    { key: { key: 1 }, unique: true },
    { key: { expire: -1 }, expireAfterSeconds: 0 },
  ],
};
