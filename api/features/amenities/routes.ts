import { listAmenities } from '#shared/amenities/contract.ts';
import { AMENITIES_MAX } from '#shared/amenities/rules.ts';
import { METERS_PER_MILE } from '#shared/place.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { placeOf, pointOf } from '../locations/store.ts';
import { amenities } from './collections.ts';
import { openingAt } from './opening-hours.ts';

/** What helps on a walk, around a point. */
export function mountAmenities(api: Api): void {
  const { services } = api;
  const { db } = services;
  const limit = services.limiter({ name: 'amenities', points: 120, seconds: 60 });

  serve(api, listAmenities, async ({ query, caller: { user } }) => {
    await limit(user._id);
    const rows = await amenities(db)
      .find({
        kind: { $in: query.kinds },
        point: {
          $nearSphere: { $geometry: pointOf(query), $maxDistance: query.radius * METERS_PER_MILE },
        },
      })
      .limit(AMENITIES_MAX)
      .toArray();
    const now = new Date();
    return {
      amenities: rows.map((row) => ({
        id: row._id,
        kind: row.kind,
        name: row.name,
        ...placeOf(row),
        notes: row.notes,
        phone: row.phone,
        opening_hours: row.opening_hours,
        ...openingAt(row.opening_hours, now, query.utc_offset),
      })),
    };
  });
}
