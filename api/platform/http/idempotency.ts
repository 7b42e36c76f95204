import type { Db, Filter } from 'mongodb';
import { retry } from '#shared/backoff.ts';
import { STILL_RUNNING } from '#shared/endpoint.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import { DAY_MS, MINUTE_MS } from '#shared/time.ts';
import type { Indexes } from '../database.ts';
import { insertOnce } from '../database.ts';
import { hashOf, hashText } from '../hash.ts';
import { waitBriefly } from './wait-briefly.ts';

/** A write that may be repeated. */
export interface IdempotencyRow {
  /** `<user id> <key>`, or the id that a visitor’s request creates. */
  _id: string;
  /** The hash of the whole request, so that a key isn’t used for two requests. */
  request: string;
  /** The stored response. */
  answer: unknown;
  done: boolean;
  at: Date;
}

export interface Idempotency {
  /**
   * Runs a write once: a repeat gets the first response, and a concurrent one waits for it. A failed write can be
   * retried under its key.
   * @throws HttpError 400 for an invalid key, 409 when it was used for another request or the first is still running
   */
  once<A>(userId: string, key: string, asked: unknown, run: () => Promise<A>): Promise<A>;
  /**
   * Returns the id that a visitor’s write creates: the same for each repeat, which runs again and finds the row.
   * @param holder the feature’s id of the visitor
   * @throws HttpError 400 for an invalid key, 409 when it was used for another request
   */
  idFor(holder: string, key: string, asked: unknown): Promise<string>;
  /**
   * Deletes a user’s keys with their responses.
   * @param which by default, all
   */
  forget(userId: string, which?: Filter<IdempotencyRow>): Promise<void>;
  /** Deletes keys older than any call in an outbox. */
  runJob(): Promise<unknown>;
}

const KEY = /^[\x21-\x7e]{1,100}$/;
/** A key of a crashed process is free after this time. */
const ABANDONED_MS = MINUTE_MS;
/** How long a repeat waits for the first request. */
const WAIT_FOR_FIRST = {
  first: 50,
  longest: 200,
  forMs: 10_000,
  isTransient: (error: unknown) => error instanceof HttpError && error.code === STILL_RUNNING,
};
const RETENTION_MS = 30 * DAY_MS;

const reused = () =>
  new HttpError(409, 'This Idempotency-Key was used for another request', { code: 'key_reused' });

function check(key: string): void {
  if (!KEY.test(key)) throw new HttpError(400, 'Invalid Idempotency-Key');
}

/** Stores keys in MongoDB, so that repeats are recognized after a restart and on other servers. */
export function createIdempotency(db: Db): Idempotency {
  /** If this fails, the key stays blocked until it counts as abandoned. */
  const releaseKey = (which: Filter<IdempotencyRow>) =>
    waitBriefly(
      idempotencyKeys(db)
        .deleteOne({ ...which, done: false })
        .catch(() => {}),
    );

  /** @returns whether this process took the key */
  async function take(id: string, request: string): Promise<boolean> {
    const at = new Date();
    try {
      await idempotencyKeys(db).insertOne({ _id: id, request, answer: null, done: false, at });
      return true;
    } catch (error) {
      if (!isDuplicate(error)) {
        // It may have been stored: the next attempt must not wait for it.
        await releaseKey({ _id: id, request, at });
        throw error;
      }
    }
    const taken = await idempotencyKeys(db).updateOne(
      { _id: id, request, done: false, at: { $lt: new Date(at.getTime() - ABANDONED_MS) } },
      { $set: { at } },
    );
    return taken.modifiedCount === 1;
  }

  return {
    async once<A>(userId: string, key: string, asked: unknown, run: () => Promise<A>): Promise<A> {
      check(key);
      const id = `${userId} ${key}`;
      const request = hashOf(asked);
      const first = await retry(async () => {
        if (await take(id, request)) return null;
        const row = await idempotencyKeys(db).findOne({ _id: id });
        if (row && row.request !== request) throw reused();
        if (row?.done) return row;
        throw new HttpError(409, 'The first request is still running', { code: STILL_RUNNING });
      }, WAIT_FOR_FIRST);
      if (first) return first.answer as A;
      try {
        const answer = await run();
        await idempotencyKeys(db).updateOne({ _id: id }, { $set: { answer, done: true } });
        return answer;
      } catch (error) {
        await releaseKey({ _id: id });
        throw error;
      }
    },
    async idFor(holder, key, asked) {
      check(key);
      const _id = idOfRequest(holder, key);
      const request = hashOf(asked);
      const row = { _id, request, answer: null, done: true, at: new Date() };
      const first = await insertOnce(idempotencyKeys(db), row);
      if (first.request !== request) throw reused();
      return _id;
    },
    async forget(userId, which = {}) {
      // Everything that starts with the id and a space: '!' is what follows a space.
      await idempotencyKeys(db).deleteMany({
        ...which,
        _id: { $gte: `${userId} `, $lt: `${userId}!` },
      });
    },
    runJob: () =>
      idempotencyKeys(db).deleteMany({ at: { $lt: new Date(Date.now() - RETENTION_MS) } }),
  };
}

/** Returns the id that a repeatable write creates: the same for each repeat, even after a crash. */
export const idOfRequest = (userId: string, key: string): string =>
  hashText(`${userId} ${key}`, 22);

const idempotencyKeys = (db: Db) => db.collection<IdempotencyRow>('idempotency_keys');

export const idempotencyIndexes: Indexes = {
  idempotency_keys: [{ key: { at: 1 } }],
};
