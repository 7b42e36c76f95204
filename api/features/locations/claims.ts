import type { Db } from 'mongodb';
import { retry } from '#shared/backoff.ts';
import { type HttpError, unavailable } from '#shared/http/http-error.ts';
import { isSimilarPlace, SAME_PLACE_METERS } from '#shared/locations/rules.ts';
import type { Place } from '#shared/place.ts';
import { type ClaimRow, type LocationRow, locations, locationClaims } from './collections.ts';
import { placeOf, pointOf, visibleTo } from './store.ts';

/** A claim older than this belongs to a crashed process. */
const CLAIM_MS = 10_000;
/** Shorter than a claim, so that no place is added after its claim expired. */
const PATIENCE_MS = 4_000;
const PAUSES_MS = { first: 20, longest: 100 };

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

  const goesFirst = unavailable('locations');
  const isBusy = unavailable('locations');
  const retryOn = <T>(error: HttpError, run: () => Promise<T>): Promise<T> =>
    retry(run, {
      ...PAUSES_MS,
      forMs: deadline - Date.now(),
      isTransient: (thrown) => thrown === error,
    });

  async function attempt(): Promise<LocationRow[]> {
    await locationClaims(db).replaceOne({ _id }, { ...claim, at: new Date() }, { upsert: true });
    let others: string[] | null = null;
    return retryOn(isBusy, async () => {
      others = others ? await stillThere(others) : await rivals();
      // Read after the claims: places without a claim are stored by now.
      const found = await similar();
      if (found.length > 0) return found;
      if (others.some((id) => id < _id)) throw goesFirst;
      if (others.length > 0) throw isBusy;
      await locations(db).insertOne(row);
      return [];
    });
  }

  await locationClaims(db).deleteMany({ at: { $lt: expired() } });
  return retryOn(goesFirst, () => attempt().finally(() => locationClaims(db).deleteOne({ _id })));
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
export const runClaimsJob = (db: Db): Promise<unknown> =>
  locationClaims(db).deleteMany({ at: { $lt: expired() } });
