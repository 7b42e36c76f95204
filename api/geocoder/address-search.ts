import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { isDuplicate } from '#shared/server/duplicate-key.ts';
import { DAY_MS } from '#shared/time.ts';
import { hashOf } from '../hash.ts';
import { ProviderFailure } from '../weather/provider.ts';
import { geocoderResults, geocoderTurns } from './collections.ts';
import { normalizedWords } from './gazetteer.ts';
import type { FoundAddress, Geocoder } from './geocoder.ts';

const CACHED_MS = 30 * DAY_MS;
const TIMEOUT_MS = 5_000;
/** How long a search waits for its turn. */
const TURN_MAX_MS = 3_000;

export interface AddressSearch {
  /** @throws ProviderFailure if the geocoder fails, or too many others wait for it */
  search(query: string): Promise<FoundAddress[]>;
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

  return {
    async search(query) {
      const _id = hashOf(`${geocoder.name} ${normalizedWords(query).join(' ')}`);
      const cached = await geocoderResults(db).findOne({ _id, expires_at: { $gt: new Date() } });
      if (cached) return cached.found;
      await takeTurn();
      const found = await geocoder.search(query, AbortSignal.timeout(TIMEOUT_MS));
      await geocoderResults(db).updateOne(
        { _id },
        { $set: { found, expires_at: new Date(Date.now() + CACHED_MS) } },
        { upsert: true },
      );
      return found;
    },
  };
}
