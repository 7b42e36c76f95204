import type { Filter } from 'mongodb';
import { HttpError, notFound } from '#shared/http/http-error.ts';
import { createVisit, NOT_THERE } from '#shared/locations/contract.ts';
import { VISIT_METERS, visitDay } from '#shared/locations/rules.ts';
import {
  deleteVisit,
  listVisits,
  rateLocation,
  undoVisit,
  updateVisit,
  VISITS_MAX,
  withdrawRating,
  type OwnVisit,
} from '#shared/locations/visit-contract.ts';
import { metersBetween } from '#shared/place.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { locations, locationVisits, type LocationRow, type VisitRow } from './collections.ts';
import { findVisible, placeOf, presentLocation, visibleTo } from './store.ts';
import { recordVisit, removeRatings, removeVisit } from './visits.ts';

/** Matches a user's visits: not the days on which they only rated. */
const visitsOf = (user_id: string): Filter<VisitRow> => ({
  user_id,
  is_rating_only: { $ne: true },
});

/** Records visits and ratings, and lists a user's own visits. */
export function mountVisits(api: Api): void {
  const { services } = api;
  const { db } = services;
  const limit = services.limiter({ name: 'location-visits', points: 120, seconds: 3_600 });

  serve(api, createVisit, async ({ body, caller: { user }, freshId, madeAt }) => {
    await limit(user._id);
    const location = await findVisible(db, body.location_id, user._id);
    const { latitude, longitude } = body;
    const isElsewhere =
      typeof latitude === 'number' &&
      typeof longitude === 'number' &&
      metersBetween({ latitude, longitude }, placeOf(location)) > VISIT_METERS;
    if (isElsewhere)
      throw new HttpError(409, 'You can record a visit when you’re there', { code: NOT_THERE });
    const {
      _id,
      day: _,
      is_rating_only: __,
      ...visit
    } = await recordVisit(db, {
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

  serve(api, undoVisit, async ({ params, caller: { user }, madeAt }) => {
    await limit(user._id);
    const { _id: location_id } = await findVisible(db, params.id, user._id);
    const day = visitDay(madeAt);
    const row = await locationVisits(db).findOne({ ...visitsOf(user._id), location_id, day });
    if (row) await removeVisit(db, row);
    return {};
  });

  async function averageOf(id: string, userId: string) {
    const { average_rating } = presentLocation(await findVisible(db, id, userId));
    return { average_rating };
  }

  serve(api, rateLocation, async ({ params, body, caller: { user }, freshId, madeAt }) => {
    await limit(user._id);
    const location = await findVisible(db, params.id, user._id);
    await recordVisit(db, {
      _id: freshId(),
      location_id: location._id,
      user_id: user._id,
      visit_date: madeAt,
      rating: body.rating,
      notes: null,
      latitude: null,
      longitude: null,
      is_rating_only: true,
    });
    return averageOf(location._id, user._id);
  });

  serve(api, withdrawRating, async ({ params, caller: { user }, madeAt }) => {
    await limit(user._id);
    const { _id: location_id } = await findVisible(db, params.id, user._id);
    await removeRatings(db, { location_id, user_id: user._id, day: visitDay(madeAt) });
    return averageOf(location_id, user._id);
  });

  async function present(rows: VisitRow[], userId: string): Promise<OwnVisit[]> {
    const places = await locations(db)
      .find(
        { _id: { $in: [...new Set(rows.map((row) => row.location_id))] }, ...visibleTo(userId) },
        { projection: { name: 1 } },
      )
      .toArray();
    const names = new Map(
      places.map(({ _id, name }: Pick<LocationRow, '_id' | 'name'>) => [_id, name]),
    );
    return rows.map((row) => ({
      id: row._id,
      location_id: row.location_id,
      location_name: names.get(row.location_id) ?? null,
      visit_date: row.visit_date.toISOString(),
      notes: row.notes,
    }));
  }

  serve(api, listVisits, async ({ caller: { user } }) => {
    const rows = await locationVisits(db)
      .find(visitsOf(user._id))
      .sort({ visit_date: -1 })
      .limit(VISITS_MAX)
      .toArray();
    return { visits: await present(rows, user._id) };
  });

  serve(api, updateVisit, async ({ params, body, caller: { user } }) => {
    await limit(user._id);
    const row = await locationVisits(db).findOneAndUpdate(
      { _id: params.id, ...visitsOf(user._id) },
      { $set: { notes: body.notes || null } },
      { returnDocument: 'after' },
    );
    const [visit] = row ? await present([row], user._id) : [];
    if (!visit) throw notFound('Visit');
    return { visit };
  });

  serve(api, deleteVisit, async ({ params, caller: { user } }) => {
    await limit(user._id);
    const row = await locationVisits(db).findOne({ _id: params.id, ...visitsOf(user._id) });
    if (!row) throw notFound('Visit');
    await removeVisit(db, row);
    return {};
  });
}
