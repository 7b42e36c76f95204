import type { Db } from 'mongodb';
import type { Place } from '#shared/place.ts';
import { STALE_SECONDS } from '#shared/proximity/rules.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { positions } from './collections.ts';

const EARTH_METERS = 6_371_008.8;
/** A count that takes longer is refused. */
const COUNT_MS = 5_000;

/** Counts the people who share a position now within some meters of a place. Reads all current positions. */
export const countAround =
  (db: Db) =>
  ({ latitude, longitude }: Place, meters: number): Promise<number> => {
    const oldest = Date.now() - STALE_SECONDS * 1_000;
    const circle: [[number, number], number] = [[longitude, latitude], meters / EARTH_METERS];
    return positions(db).countDocuments(
      {
        minute: { $gte: Math.floor(oldest / MINUTE_MS) },
        at: { $gte: new Date(oldest) },
        location: { $geoWithin: { $centerSphere: circle } },
      },
      { maxTimeMS: COUNT_MS },
    );
  };
