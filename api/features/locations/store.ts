import type { Filter, Db } from 'mongodb';
import { notFound } from '#shared/http/http-error.ts';
import type { LocationTip, WalkLocation } from '#shared/locations/schemas.ts';
import type { Place } from '#shared/place.ts';
import { dayTime } from '#shared/rounded-time.ts';
import { type StoredTip, type LocationRow, locations } from './collections.ts';

/** Converts to GeoJSON: longitude first. */
export const pointOf = ({ latitude, longitude }: Place): LocationRow['point'] => ({
  type: 'Point',
  coordinates: [longitude, latitude],
});

/** The inverse of `pointOf`. */
export const placeOf = ({ point }: Pick<LocationRow, 'point'>): Place => ({
  latitude: point.coordinates[1],
  longitude: point.coordinates[0],
});

/** Matches the places that a user may see: public ones, and their own. */
export const visibleTo = (userId: string): Filter<LocationRow> => ({
  is_active: true,
  merged_into: null,
  $or: [{ is_public: true }, { creator_user_id: userId }],
});

/** Matches places that were merged into one. `$type` makes it use the partial index. */
export const mergedInto = (id: string): Filter<LocationRow> => ({
  merged_into: { $eq: id, $type: 'string' },
});

/** Merges can be chained, and a device may know a place by an old id. */
const MERGES_MAX = 5;

/**
 * Finds a place that a user may see; follows merges.
 * @throws HttpError 404
 */
export async function findVisible(db: Db, id: string, userId: string): Promise<LocationRow> {
  let wanted = id;
  for (let merges = 0; merges <= MERGES_MAX; merges += 1) {
    const row = await locations(db).findOne({ _id: wanted });
    if (!row) break;
    if (row.merged_into !== null) wanted = row.merged_into;
    else if (row.is_active && (row.is_public || row.creator_user_id === userId)) return row;
    else break;
  }
  throw notFound('Location');
}

/** @param hidden users hidden from the reader by a block */
export function presentLocation(row: LocationRow, hidden?: ReadonlySet<string>): WalkLocation {
  const creator = row.creator_user_id;
  return {
    id: row._id,
    creator_user_id: creator !== null && hidden?.has(creator) ? null : creator,
    name: row.name,
    description: row.description,
    ...placeOf(row),
    address: row.address,
    location_type: row.location_type,
    leash_required: row.leash_required,
    parking_available: row.parking_available,
    water_available: row.water_available,
    restrooms_available: row.restrooms_available,
    off_leash: row.off_leash ?? false,
    fenced: row.fenced ?? false,
    lit: row.lit ?? false,
    opening_hours: row.opening_hours ?? null,
    osm_id: row.imported?.id ?? null,
    is_public: row.is_public,
    is_active: row.is_active,
    visit_count: row.visit_count,
    average_rating:
      row.rating_count > 0 ? Math.round((row.rating_sum / row.rating_count) * 10) / 10 : null,
    tip_count: row.tip_count,
  };
}

/**
 * Returns a tip as everyone may see it.
 * @param names of authors, by their ids
 */
export const presentTip = (tip: StoredTip, names?: ReadonlyMap<string, string>): LocationTip => ({
  id: tip._id,
  location_id: tip.location_id,
  creator_user_id: tip.creator_user_id,
  author_name: names?.get(tip.creator_user_id ?? '') ?? null,
  tip_type: tip.tip_type,
  title: tip.title,
  content: tip.content,
  is_helpful_count: tip.is_helpful_count,
  is_public: tip.is_public,
  is_active: tip.is_active,
  created_at: dayTime(tip.created_at),
});

/** What a new place has besides its facts, whoever added it. */
export const newPlace = (now: Date) => ({
  is_active: true,
  merged_into: null,
  created_at: now,
  visit_count: 0,
  rating_sum: 0,
  rating_count: 0,
  tip_count: 0,
  tips: [],
  open_reports: 0,
  changes: 0,
  tips_turn: 0,
  is_checked: true,
  changed_at: now,
});
