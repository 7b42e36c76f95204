import type { Document, Filter, Db } from 'mongodb';
import { z } from 'zod';
import { TIPS_SHOWN, type FoundLocation, type LocationType } from '#shared/locations/schemas.ts';
import { METRES_PER_MILE, milesOf, type Place } from '#shared/place.ts';
import { HttpError } from '../http/http-error.ts';
import { type LocationRow, locations } from './collections.ts';
import { pointOf, presentLocation, presentTip, visibleTo } from './store.ts';

export interface Wanted extends Place {
  radius_miles: number;
  location_type?: LocationType | undefined;
  include_tips: boolean;
  limit: number;
  cursor?: string | undefined;
}

/** Where an answer ended: how far, and the last of the places at that very distance, which come by their ids. */
const cursorSchema = z.object({ metres: z.number().min(0), id: z.string() });
type Cursor = z.infer<typeof cursorSchema>;

/** Two distances nearer than this count as the same. */
const SAME_METRES = 0.001;

type Found = LocationRow & { metres: number };

function readCursor(text: string): Cursor {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch (cause) {
    throw new HttpError(400, 'Invalid input', { fields: { cursor: 'Invalid input' }, cause });
  }
}

const isSame = (one: number, other: number): boolean => Math.abs(one - other) < SAME_METRES;

function cursorAfter(page: Found[], before: Cursor | null): string {
  const end = page.at(-1)?.metres ?? 0;
  // The same all along, lest some fall between two answers.
  const metres = before && isSame(end, before.metres) ? before.metres : end;
  const ids = page.filter((row) => isSame(row.metres, metres)).map(({ _id }) => _id);
  const cursor: Cursor = { metres, id: ids.toSorted().at(-1) ?? '' };
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/**
 * The places around a point that somebody may see, nearest first.
 * @param hidden people whom that one is kept apart from, whose tips do not come
 * @throws Refusal 400 for a cursor that is none
 */
export async function search(
  db: Db,
  userId: string,
  wanted: Wanted,
  hidden: ReadonlySet<string>,
): Promise<{ locations: FoundLocation[]; next_cursor: string | null }> {
  const from = wanted.cursor === undefined ? null : readCursor(wanted.cursor);
  const radius = wanted.radius_miles * METRES_PER_MILE;

  const nearest = (min: number, max: number, also: Filter<LocationRow>, more: Document[]) =>
    locations(db)
      .aggregate<Found>([
        {
          $geoNear: {
            near: pointOf(wanted),
            key: 'point',
            distanceField: 'metres',
            minDistance: Math.max(0, min),
            maxDistance: Math.min(radius, max),
            query: {
              ...visibleTo(userId),
              ...(wanted.location_type && { location_type: wanted.location_type }),
              ...also,
            },
          },
        },
        ...more,
        ...(wanted.include_tips ? [] : [{ $project: { tips: 0 } }]),
      ])
      .toArray();
  /** Those at one distance come in no order of their own: by their ids, so that any number of them can be gone on with. */
  const at = (metres: number, afterId: string | null, limit: number) =>
    nearest(
      metres - SAME_METRES,
      metres + SAME_METRES,
      afterId === null ? {} : { _id: { $gt: afterId } },
      [{ $sort: { _id: 1 } }, { $limit: limit }],
    );

  const limit = wanted.limit + 1;
  const rest = from ? await at(from.metres, from.id, limit) : [];
  const beyond =
    rest.length < limit
      ? await nearest(from ? from.metres + SAME_METRES : 0, radius, {}, [
          { $limit: limit - rest.length },
        ])
      : [];
  const isMore = rest.length + beyond.length === limit;
  const last = beyond.at(-1);
  const tied = last ? beyond.filter(({ metres }) => isSame(metres, last.metres)) : [];
  // An answer that ends among them has the first ones.
  if (last && isMore && tied.length > 1)
    beyond.splice(-tied.length, tied.length, ...(await at(last.metres, null, tied.length)));
  const page = [...rest, ...beyond].slice(0, wanted.limit);
  return {
    locations: page.map((row) => present(row, wanted.include_tips, hidden)),
    next_cursor: isMore ? cursorAfter(page, from) : null,
  };
}

function present(row: Found, withTips: boolean, hidden: ReadonlySet<string>): FoundLocation {
  const tips = withTips ? row.tips : [];
  const read = tips.filter(({ creator_user_id }) => !hidden.has(creator_user_id ?? ''));
  const shown = presentLocation(row, hidden);
  return {
    ...shown,
    // As far as is known here: those that are hidden and not kept on the row still count.
    tip_count: shown.tip_count - (tips.length - read.length),
    distance_miles: milesOf(row.metres),
    tips: read.slice(0, TIPS_SHOWN).map(presentTip),
  };
}
