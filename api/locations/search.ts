import type { Document } from 'mongodb';
import { z } from 'zod';
import { TIPS_SHOWN, type FoundLocation, type LocationType } from '#shared/locations/shapes.ts';
import { METRES_PER_MILE, milesOf, type Place } from '#shared/place.ts';
import type { Database } from '../database.ts';
import { Refusal } from '../refusal.ts';
import type { LocationRow } from './rows.ts';
import { pointOf, presentLocation, presentTip, visibleTo } from './store.ts';

export interface Wanted extends Place {
  radius_miles: number;
  location_type?: LocationType | undefined;
  include_tips: boolean;
  limit: number;
  cursor?: string | undefined;
}

/** Where an answer ended: how far, and which places at that very distance were in it. */
const cursorSchema = z.object({ metres: z.number().min(0), ids: z.array(z.string()) });
type Cursor = z.infer<typeof cursorSchema>;

/** Two distances nearer than this count as the same. */
const SAME_METRES = 0.001;

type Found = LocationRow & { metres: number };

function readCursor(text: string): Cursor {
  try {
    return cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
  } catch (cause) {
    throw new Refusal(400, 'Invalid input', { fields: { cursor: 'Invalid input' }, cause });
  }
}

function cursorAfter(page: Found[], before: Cursor | null): string {
  const metres = page.at(-1)?.metres ?? 0;
  const same = (other: number) => metres - other < SAME_METRES;
  const ids = page.filter((row) => same(row.metres)).map(({ _id }) => _id);
  const earlier = before && same(before.metres) ? before.ids : [];
  return Buffer.from(JSON.stringify({ metres, ids: [...earlier, ...ids] })).toString('base64url');
}

/**
 * The places around a point that somebody may see, nearest first.
 * @param hidden people whom that one is kept apart from, whose tips do not come
 * @throws Refusal 400 for a cursor that is none
 */
export async function search(
  { locations }: Pick<Database, 'locations'>,
  userId: string,
  wanted: Wanted,
  hidden: ReadonlySet<string>,
): Promise<{ locations: FoundLocation[]; next_cursor: string | null }> {
  const from = wanted.cursor === undefined ? null : readCursor(wanted.cursor);
  const pipeline: Document[] = [
    {
      $geoNear: {
        near: pointOf(wanted),
        key: 'point',
        distanceField: 'metres',
        maxDistance: wanted.radius_miles * METRES_PER_MILE,
        ...(from && { minDistance: Math.max(0, from.metres - SAME_METRES) }),
        query: {
          ...visibleTo(userId),
          ...(wanted.location_type && { location_type: wanted.location_type }),
          ...(from && { _id: { $nin: from.ids } }),
        },
      },
    },
    { $limit: wanted.limit + 1 },
    ...(wanted.include_tips ? [] : [{ $project: { tips: 0 } }]),
  ];
  const found = await locations.aggregate<Found>(pipeline).toArray();
  const page = found.slice(0, wanted.limit);
  return {
    locations: page.map((row) => present(row, wanted.include_tips, hidden)),
    next_cursor: found.length > page.length ? cursorAfter(page, from) : null,
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
