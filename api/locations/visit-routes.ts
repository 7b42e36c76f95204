import { createVisit } from '#shared/locations/contract.ts';
import { serve } from '../http/mount-endpoint.ts';
import type { Api } from '../services.ts';
import { findVisible } from './store.ts';
import { recordVisit } from './visits.ts';

/** Records visits and ratings. */
export function mountVisits(api: Api): void {
  const { services } = api;
  const limit = services.limiter({ name: 'location-visits', points: 120, seconds: 3_600 });

  serve(api, createVisit, async ({ body, caller: { user }, freshId, madeAt }) => {
    await limit(user._id);
    const location = await findVisible(services.db, body.location_id, user._id);
    const {
      _id,
      day: _,
      ...visit
    } = await recordVisit(services.db, {
      _id: freshId(),
      location_id: location._id,
      user_id: user._id,
      visit_date: madeAt,
      rating: body.rating ?? null,
      notes: body.notes || null,
      latitude: body.latitude ?? null,
      longitude: body.longitude ?? null,
    });
    return { visit: { ...visit, id: _id, visit_date: visit.visit_date.toISOString() } };
  });
}
