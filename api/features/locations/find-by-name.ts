import type { Db } from 'mongodb';
import { METERS_PER_MILE, metersBetween, type Place } from '#shared/place.ts';
import { wordPrefixFilter } from '../../platform/admin/search.ts';
import { type LocationRow, locations } from './collections.ts';
import { placeOf, pointOf, visibleTo } from './store.ts';

/** What is nearer comes first. */
const NEAR_METERS = 25 * METERS_PER_MILE;
/** Of a common word, not all places are compared. */
const COMPARED_MAX = 300;

/**
 * Finds visible places of which each search word begins a word of the name or address: those near a point first, the nearest of them first,
 * then the most visited.
 * @param near null for none
 */
export async function findByName(
  db: Db,
  {
    userId,
    query,
    limit,
    near,
  }: { userId: string; query: string; limit: number; near: Place | null },
): Promise<LocationRow[]> {
  const named = { $and: [visibleTo(userId), wordPrefixFilter(query)] };
  const [around, all] = await Promise.all([
    near === null
      ? []
      : locations(db)
          .find({
            ...named,
            point: { $nearSphere: { $geometry: pointOf(near), $maxDistance: NEAR_METERS } },
          })
          .limit(limit)
          .toArray(),
    locations(db).find(named).limit(COMPARED_MAX).toArray(),
  ]);
  const ids = new Set(around.map(({ _id }) => _id));
  const away = (row: LocationRow) => (near === null ? 0 : metersBetween(near, placeOf(row)));
  const others = all
    .filter(({ _id }) => !ids.has(_id))
    .toSorted(
      (a, b) => b.visit_count - a.visit_count || away(a) - away(b) || (a._id < b._id ? -1 : 1),
    );
  return [...around, ...others].slice(0, limit);
}
