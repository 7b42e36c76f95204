import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from 'mongodb';
import type { Place } from '#shared/place.ts';
import { isDuplicate } from '#shared/server/database-errors.ts';
import { DAY_MS, HOUR_MS } from '#shared/time.ts';
import { hashOf } from '../../platform/hash.ts';
import { ProviderFailure } from '../../platform/http/provider-failure.ts';
import { geocoderResults, geocoderTurns } from './collections.ts';
import { normalizedWords } from './gazetteer.ts';
import type { FoundAddress, Geocoder } from './geocoder.ts';

const CACHED_MS = 30 * DAY_MS;
/** An address that isn't there yet may be there soon, or the geocoder was being filled. */
const EMPTY_CACHED_MS = 2 * HOUR_MS;
/** Of coordinates that the geocoder gets: about 11 m. */
const REVERSE_DECIMALS = 4;
const TIMEOUT_MS = 5_000;
/** How long a search waits for its turn. */
const TURN_MAX_MS = 3_000;

export interface AddressSearch {
  /** @throws ProviderFailure if the geocoder fails, or too many others wait for it */
  search(query: string): Promise<FoundAddress[]>;
  /**
   * Returns the address at a point, which is rounded to about 11 m.
   * @throws ProviderFailure as `search`
   */
  reverse(point: Place): Promise<FoundAddress | null>;
}

/** Asks the geocoder at the allowed pace, across all nodes, and caches its results. */
export function createAddressSearch(
  db: Db,
  geocoder: Geocoder,
  requestsPerSecond: number,
): AddressSearch {
  const interval = 1_000 / requestsPerSecond;

  /** Waits for this request’s turn. */
  async function takeTurn(): Promise<void> {
    const now = Date.now();
    const latest = new Date(now + TURN_MAX_MS);
    try {
      const row = await geocoderTurns(db).findOneAndUpdate(
        { _id: geocoder.name, next_at: { $lte: latest } },
        [{ $set: { next_at: { $add: [{ $max: ['$next_at', new Date(now)] }, interval] } } }],
        { upsert: true, returnDocument: 'after' },
      );
      const turn = (row?.next_at.getTime() ?? now) - interval;
      await wait(Math.max(0, turn - now));
    } catch (error) {
      // The row exists, but its next turn is too late.
      if (isDuplicate(error))
        throw new ProviderFailure('too many searches wait for the geocoder', { cause: error });
      throw error;
    }
  }

  /** Returns the cached results of a question, or asks the geocoder and caches them. */
  async function resultsOf(
    question: string,
    ask: (signal: AbortSignal) => Promise<FoundAddress[]>,
  ): Promise<FoundAddress[]> {
    const _id = hashOf(`${geocoder.name} ${question}`);
    const cached = await geocoderResults(db).findOne({ _id, expires_at: { $gt: new Date() } });
    if (cached) return cached.found;
    await takeTurn();
    const found = await ask(AbortSignal.timeout(TIMEOUT_MS));
    const keptMs = found.length > 0 ? CACHED_MS : EMPTY_CACHED_MS;
    await geocoderResults(db).updateOne(
      { _id },
      { $set: { found, expires_at: new Date(Date.now() + keptMs) } },
      { upsert: true },
    );
    return found;
  }

  return {
    search: (query) =>
      resultsOf(normalizedWords(query).join(' '), (signal) => geocoder.search(query, signal)),
    async reverse({ latitude, longitude }) {
      const point = { latitude: rounded(latitude), longitude: rounded(longitude) };
      const [found] = await resultsOf(`@${point.latitude} ${point.longitude}`, async (signal) => {
        const address = await geocoder.reverse(point, signal);
        return address ? [address] : [];
      });
      return found ?? null;
    },
  };
}

const rounded = (degrees: number): number => Number(degrees.toFixed(REVERSE_DECIMALS));
