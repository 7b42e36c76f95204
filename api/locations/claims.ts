import type { Db } from 'mongodb';
import { setTimeout as wait } from 'node:timers/promises';
import { isSimilarPlace, SAME_PLACE_METERS } from '#shared/locations/rules.ts';
import type { Place } from '#shared/place.ts';
import { unavailable } from '../http/http-error.ts';
import { type ClaimRow, type LocationRow, locations, locationClaims } from './collections.ts';
import { placeOf, pointOf, visibleTo } from './store.ts';

/** A claim older than this belongs to a crashed process. */
const CLAIM_MS = 10_000;
/** Shorter than a claim, so that no place is added after its claim expired. */
const PATIENCE_MS = 4_000;
const PAUSE_MS = 20;

const expired = () => new Date(Date.now() - CLAIM_MS);

/**
 * Adds a place unless a similar one exists or is being added. Each request claims its place before it looks for others,
 * so that of two at least one sees the other. The smaller id goes first; the other waits.
 * @returns the similar places; empty when it was added
 * @throws HttpError 503 when others take too long
 */
export async function addUnlessSimilar(
  db: Db,
  row: LocationRow & { creator_user_id: string },
): Promise<LocationRow[]> {
  const { _id, name, point, creator_user_id, is_public } = row;
  const claim = { name, point, creator_user_id, is_public };
  const place = { name, ...placeOf(row) };
  const deadline = Date.now() + PATIENCE_MS;

  const similar = () => similarPlaces(db, creator_user_id, place);

  async function rivals(): Promise<string[]> {
    const claims: ClaimRow[] = await locationClaims(db)
      .find({ at: { $gt: expired() } })
      .toArray();
    return claims
      .filter((other) => other._id !== _id)
      .filter((other) => other.is_public || other.creator_user_id === creator_user_id)
      .filter((other) => isSimilarPlace({ name: other.name, ...placeOf(other) }, place))
      .map((other) => other._id);
  }

  const stillThere = async (ids: string[]): Promise<string[]> =>
    locationClaims(db).distinct('_id', { _id: { $in: ids }, at: { $gt: expired() } });

  async function pause(): Promise<void> {
    if (Date.now() > deadline) throw unavailable('locations');
    await wait(PAUSE_MS);
  }

  /** @returns the similar places; null when another request goes first */
  async function attempt(): Promise<LocationRow[] | null> {
    await locationClaims(db).replaceOne({ _id }, { ...claim, at: new Date() }, { upsert: true });
    for (let others = await rivals(); ; others = await stillThere(others)) {
      // Read after the claims: places without a claim are stored by now.
      const found = await similar();
      if (found.length > 0) return found;
      if (others.some((id) => id < _id)) return null;
      if (others.length === 0) break;
      await pause();
    }
    await locations(db).insertOne(row);
    return [];
  }

  await locationClaims(db).deleteMany({ at: { $lt: expired() } });
  for (;;) {
    const found = await attempt().finally(() => locationClaims(db).deleteOne({ _id }));
    if (found) return found;
    await pause();
  }
}

const LOOKED_AT = 100;
const OFFERED = 3;

/** Finds visible places that look like this one, nearest first. */
async function similarPlaces(
  db: Db,
  userId: string,
  place: Place & { name: string },
): Promise<LocationRow[]> {
  const near = await locations(db)
    .find({
      ...visibleTo(userId),
      point: { $nearSphere: { $geometry: pointOf(place), $maxDistance: SAME_PLACE_METERS } },
    })
    .limit(LOOKED_AT)
    .toArray();
  return near
    .filter((row) => isSimilarPlace({ ...placeOf(row), name: row.name }, place))
    .slice(0, OFFERED);
}

/** Deletes the claims of processes that ended. */
export const sweepClaims = (db: Db): Promise<unknown> =>
  locationClaims(db).deleteMany({ at: { $lt: expired() } });
