import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { newId } from '#shared/ids.ts';
import type { Place } from '#shared/place.ts';
import { roundedTime } from '#shared/rounded-time.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/time.ts';
import { assess, cellKey, cellOf, FRESH_MINUTES } from '#shared/weather/rules.ts';
import { insertOnce } from '../../platform/database.ts';
import { ProviderFailure } from '../../platform/http/provider-failure.ts';
import {
  type ReadingFailure,
  type StoredReading,
  type WeatherReadingRow,
  weatherReadings,
} from './collections.ts';
import { celsiusOf, type WeatherProvider } from './provider.ts';

export interface Readings {
  /**
   * Returns the reading of a place’s cell: a fresh one, or one from the provider, which is asked once for all
   * concurrent callers in all processes.
   * @param refresh asks the provider even if a reading is fresh
   * @param mayAsk throws if this caller may not ask the provider; not called for callers who join a pending request
   * @throws ProviderFailure
   */
  at(place: Place, refresh: boolean, mayAsk?: () => Promise<void>): Promise<StoredReading>;
  /** Deletes cells that weren’t requested for an hour. */
  runJob(): Promise<unknown>;
}

const RETENTION_MS = HOUR_MS;
/** How long a failed provider is paused, unless it sends a time itself. */
const BACKOFF_MS = 5_000;
const LIMITED_MS = MINUTE_MS;
const BACKOFF_MAX_MS = 10 * MINUTE_MS;
/** Added to the provider’s timeout, for storing its response. */
const LEASE_MORE_MS = 2_000;
const PAUSE_MS = 100;
const NEVER = new Date(0);

/** One row a cell (decision 374). @param timeoutMs how long the provider may take */
export function openReadings(db: Db, provider: WeatherProvider, timeoutMs: number): Readings {
  /** Pending requests of this process, by cell. */
  const underWay = new Map<string, Promise<StoredReading>>();

  async function rowOf(_id: string): Promise<WeatherReadingRow> {
    const found = await weatherReadings(db).findOne({ _id });
    if (found) return found;
    return insertOnce(weatherReadings(db), {
      _id,
      reading: null,
      failure: null,
      leased_by: null,
      leased_until: NEVER,
      expires_at: new Date(Date.now() + RETENTION_MS),
    });
  }

  /** @returns the lease; null when another caller has it or updated the row */
  async function lease({ _id, reading, failure }: WeatherReadingRow): Promise<string | null> {
    const leased_by = newId();
    const { modifiedCount } = await weatherReadings(db).updateOne(
      {
        _id,
        'reading.id': reading?.id ?? null,
        'failure.at': failure?.at ?? null,
        $expr: { $lt: ['$leased_until', '$$NOW'] },
      },
      // By the database's clock, so that nodes whose clocks differ don't ask twice.
      [
        {
          $set: {
            leased_by: { $literal: leased_by },
            leased_until: { $add: ['$$NOW', timeoutMs + LEASE_MORE_MS] },
            expires_at: { $add: ['$$NOW', RETENTION_MS] },
          },
        },
      ],
    );
    return modifiedCount === 1 ? leased_by : null;
  }

  async function ask(place: Place, key: string, leased_by: string): Promise<StoredReading> {
    const settle = (change: Partial<WeatherReadingRow>) =>
      weatherReadings(db).updateOne(
        { _id: key, leased_by },
        { $set: { ...change, leased_by: null, leased_until: NEVER } },
      );
    try {
      const cell = cellOf(place);
      const conditions = await provider.read(cell, AbortSignal.timeout(timeoutMs));
      const { is_dog_walking_safe, safety_warnings } = assess(conditions);
      const reading: StoredReading = {
        id: newId(),
        ...cell,
        ...conditions,
        temperature_c: celsiusOf(conditions.temperature_f),
        feels_like_c: celsiusOf(conditions.feels_like_f),
        is_dog_walking_safe,
        safety_warnings,
        retrieved_at: roundedTime(new Date(), FRESH_MINUTES),
      };
      await settle({ reading, failure: null });
      return reading;
    } catch (error) {
      if (error instanceof ProviderFailure) await settle({ failure: failureOf(error) });
      throw error;
    }
  }

  /** Asks the provider, or waits for the caller that does. */
  async function renew(place: Place, key: string, seen: WeatherReadingRow): Promise<StoredReading> {
    for (let row = seen; ; row = await rowOf(key)) {
      if (row.reading && row.reading.id !== seen.reading?.id) return row.reading;
      if (row.failure && row.failure.until > new Date()) throw thrown(row.failure);
      const leased = await lease(row);
      if (leased) return ask(place, key, leased);
      await wait(PAUSE_MS);
    }
  }

  return {
    async at(place, refresh, mayAsk) {
      const key = cellKey(place);
      const row = await rowOf(key);
      // All see the start of the same ten minutes, and so not whether somebody else was here a moment ago.
      const fresh =
        row.reading && row.reading.retrieved_at >= roundedTime(new Date(), FRESH_MINUTES);
      if (row.reading && fresh && !refresh) return row.reading;
      if (!underWay.has(key)) await mayAsk?.();
      const waiting = underWay.get(key);
      if (waiting) return waiting;
      const answer = renew(place, key, row).finally(() => underWay.delete(key));
      underWay.set(key, answer);
      return answer;
    },
    runJob: () => weatherReadings(db).deleteMany({ expires_at: { $lt: new Date() } }),
  };
}

function failureOf({ status, retryAfterMs }: ProviderFailure): ReadingFailure {
  const pause = Math.min(
    BACKOFF_MAX_MS,
    retryAfterMs ?? (status === 429 ? LIMITED_MS : BACKOFF_MS),
  );
  const at = new Date();
  return { status, at, until: new Date(at.getTime() + pause) };
}

const thrown = ({ status, until }: ReadingFailure): ProviderFailure =>
  new ProviderFailure('the provider is paused after a failure', {
    ...(status === null ? {} : { status }),
    retryAfterMs: until.getTime() - Date.now(),
  });
