import type { Db } from 'mongodb';
import { isSimilarPlace, SAME_PLACE_METERS } from '#shared/locations/rules.ts';
import type { Place } from '#shared/place.ts';
import { type LocationRow, locations } from './collections.ts';
import { placeOf, pointOf, visibleTo } from './store.ts';

const LOOKED_AT = 100;
const OFFERED = 3;

/** The places that somebody may see and that look like this one, nearest first. */
export async function similarPlaces(
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
