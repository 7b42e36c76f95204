import type { Document, Filter, Db } from 'mongodb';
import { z } from 'zod';
import { HttpError } from '#shared/http/http-error.ts';
import { SEARCH_RADIUS, TIPS_SHOWN, WIDER_RADII } from '#shared/locations/rules.ts';
import {
  type Alternatives,
  type FoundLocation,
  type LocationType,
  type PlaceFeature,
} from '#shared/locations/schemas.ts';
import { METERS_PER_MILE, milesOf, type Place } from '#shared/place.ts';
import { namesOf } from '../profile/names.ts';
import { type LocationRow, locations } from './collections.ts';
import { newestPhotos } from './photo-routes.ts';
import { pointOf, presentLocation, presentTip, visibleTo } from './store.ts';

export interface Wanted extends Place {
  radius_miles: number;
  location_type?: LocationType | undefined;
  features: readonly PlaceFeature[];
  include_tips: boolean;
  limit: number;
  cursor?: string | undefined;
}

/** Where a page ended: the distance, and the last id at that distance. */
const cursorSchema = z.object({ meters: z.number().min(0), id: z.string() });
type Cursor = z.infer<typeof cursorSchema>;

/** Two distances nearer than this count as the same. */
const SAME_METERS = 0.001;

type Found = LocationRow & { meters: number };

function readCursor(text: string): Cursor {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch (cause) {
    throw new HttpError(400, 'Invalid input', { fields: { cursor: 'Invalid input' }, cause });
  }
}

const isSame = (one: number, other: number): boolean => Math.abs(one - other) < SAME_METERS;

function cursorAfter(page: Found[], before: Cursor | null): string {
  const end = page.at(-1)?.meters ?? 0;
  // Reuses the same value, so that no place falls between two pages.
  const meters = before && isSame(end, before.meters) ? before.meters : end;
  const ids = page.filter((row) => isSame(row.meters, meters)).map(({ _id }) => _id);
  const cursor: Cursor = { meters, id: ids.toSorted().at(-1) ?? '' };
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

const havingAll = (features: readonly PlaceFeature[]): Filter<LocationRow> =>
  Object.fromEntries(features.map((feature) => [feature, true]));

/**
 * Finds visible places around a point, nearest first.
 * @param hidden users whose tips are hidden by a block
 * @throws HttpError 400 for an invalid cursor
 */
export async function search(
  db: Db,
  userId: string,
  wanted: Wanted,
  hidden: ReadonlySet<string>,
): Promise<{
  locations: FoundLocation[];
  next_cursor: string | null;
  alternatives: Alternatives | null;
}> {
  const from = wanted.cursor === undefined ? null : readCursor(wanted.cursor);
  const radius = wanted.radius_miles * METERS_PER_MILE;

  const nearest = (min: number, max: number, also: Filter<LocationRow>, more: Document[]) =>
    locations(db)
      .aggregate<Found>([
        {
          $geoNear: {
            near: pointOf(wanted),
            key: 'point',
            distanceField: 'meters',
            minDistance: Math.max(0, min),
            maxDistance: Math.min(radius, max),
            query: {
              ...visibleTo(userId),
              ...(wanted.location_type && { location_type: wanted.location_type }),
              ...havingAll(wanted.features),
              ...also,
            },
          },
        },
        ...more,
        ...(wanted.include_tips ? [] : [{ $project: { tips: 0 } }]),
      ])
      .toArray();
  /** Places at the same distance are ordered by id, so that paging is stable. */
  const at = (meters: number, afterId: string | null, limit: number) =>
    nearest(
      meters - SAME_METERS,
      meters + SAME_METERS,
      afterId === null ? {} : { _id: { $gt: afterId } },
      [{ $sort: { _id: 1 } }, { $limit: limit }],
    );

  const limit = wanted.limit + 1;
  const rest = from ? await at(from.meters, from.id, limit) : [];
  const beyond =
    rest.length < limit
      ? await nearest(from ? from.meters + SAME_METERS : 0, radius, {}, [
          { $limit: limit - rest.length },
        ])
      : [];
  const isMore = rest.length + beyond.length === limit;
  const last = beyond.at(-1);
  const tied = last ? beyond.filter(({ meters }) => isSame(meters, last.meters)) : [];
  // A page that ends among ties contains the first ones.
  if (last && isMore && tied.length > 1)
    beyond.splice(-tied.length, tied.length, ...(await at(last.meters, null, tied.length)));
  const page = [...rest, ...beyond].slice(0, wanted.limit);
  const [names, photos] = await Promise.all([
    authorsOf(db, wanted.include_tips ? page : []),
    newestPhotos(
      db,
      page.map(({ _id }) => _id),
      hidden,
    ),
  ]);
  return {
    locations: page.map((row) => ({
      ...present(row, wanted.include_tips, hidden, names),
      image_key: photos.get(row._id) ?? null,
    })),
    next_cursor: isMore ? cursorAfter(page, from) : null,
    alternatives: page.length === 0 && !from ? await alternativesTo(db, userId, wanted) : null,
  };
}

function authorsOf(db: Db, rows: readonly LocationRow[]): Promise<Map<string, string>> {
  const ids = rows.flatMap(({ tips }) => tips.flatMap(({ creator_user_id: id }) => id ?? []));
  return namesOf(db, [...new Set(ids)]);
}

/** Places of other types that are counted for an empty search. */
const COUNTED_MAX = 500;

async function alternativesTo(db: Db, userId: string, wanted: Wanted): Promise<Alternatives> {
  const { location_type, radius_miles, features } = wanted;
  const within = (miles: number, query: Filter<LocationRow>) => ({
    $geoNear: {
      near: pointOf(wanted),
      key: 'point',
      distanceField: 'meters',
      maxDistance: miles * METERS_PER_MILE,
      query: { ...visibleTo(userId), ...havingAll(features), ...query },
    },
  });
  const [types, [nearest]] = await Promise.all([
    location_type === undefined
      ? []
      : locations(db)
          .aggregate<{ _id: LocationType; count: number }>([
            within(radius_miles, { location_type: { $ne: location_type } }),
            { $limit: COUNTED_MAX },
            { $group: { _id: '$location_type', count: { $sum: 1 } } },
            { $sort: { count: -1, _id: 1 } },
          ])
          .toArray(),
    locations(db)
      .aggregate<{ meters: number }>([
        within(SEARCH_RADIUS.max, location_type === undefined ? {} : { location_type }),
        { $limit: 1 },
        { $project: { meters: 1 } },
      ])
      .toArray(),
  ]);
  return {
    types: types.map(({ _id, count }) => ({ location_type: _id, count })),
    wider_radius_miles: nearest
      ? (WIDER_RADII.find((miles) => miles > radius_miles && miles >= milesOf(nearest.meters)) ??
        null)
      : null,
  };
}

function present(
  row: Found,
  withTips: boolean,
  hidden: ReadonlySet<string>,
  names: ReadonlyMap<string, string>,
): Omit<FoundLocation, 'image_key'> {
  const tips = withTips ? row.tips : [];
  const read = tips.filter(({ creator_user_id }) => !hidden.has(creator_user_id ?? ''));
  const shown = presentLocation(row, hidden);
  return {
    ...shown,
    // Subtracts the hidden tips that are known here; hidden tips outside the row still count.
    tip_count: shown.tip_count - (tips.length - read.length),
    distance_miles: milesOf(row.meters),
    tips: read.slice(0, TIPS_SHOWN).map((tip) => presentTip(tip, names)),
  };
}
