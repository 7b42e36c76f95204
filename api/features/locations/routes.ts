import type { Filter } from 'mongodb';
import type { z } from 'zod';
import { HttpError, unavailable, notFound } from '#shared/http/http-error.ts';
import {
  createLocation,
  deleteLocation,
  getLocation,
  getMapTiles,
  searchLocations,
  SIMILAR_LOCATION,
  updateLocation,
  type locationFields,
} from '#shared/locations/contract.ts';
import { TIPS_MAX } from '#shared/locations/rules.ts';
import { wordsOf } from '../../platform/admin/search.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { tilesOf } from '../../platform/settings/map.ts';
import { listingsNear } from '../advertisers/listings.ts';
import { hiddenFrom } from '../blocks/store.ts';
import { refuseContent } from '../content-rules/refuse-content.ts';
import { namesOf } from '../profile/names.ts';
import { mountAdminLocations } from './admin-routes.ts';
import { addUnlessSimilar } from './claims.ts';
import { type LocationRow, locations, locationTips } from './collections.ts';
import { correct } from './corrections.ts';
import { underLease, whenDecided, withLease } from './lease.ts';
import { uncheck } from './location-stats.ts';
import { mountPhotos, photosOf } from './photo-routes.ts';
import {
  isUsedByOthers,
  isUsedByOthersForSure,
  leaveLocation,
  showImportedBehind,
} from './remove-location.ts';
import { mountReports } from './report-routes.ts';
import { runOldVisitsJob, runPlacesJob } from './run-places-job.ts';
import { search } from './search.ts';
import { findVisible, newPlace, pointOf, presentLocation, presentTip } from './store.ts';
import { mountTips } from './tip-routes.ts';
import { mountVisits } from './visit-routes.ts';
import { lastRated } from './visits.ts';

/** The fields of a row that come from its creator. */
const said = ({ latitude, longitude, ...fields }: z.output<typeof locationFields>) => ({
  ...fields,
  description: fields.description ?? '',
  address: fields.address ?? '',
  point: pointOf({ latitude, longitude }),
  words: wordsOf(fields.name, fields.address),
});

/** The texts of a place that others can see; none for a private place. */
const seenByOthers = ({ is_public, name, description, address }: z.output<typeof locationFields>) =>
  is_public ? { name, description, address } : {};

const similar = (candidates: LocationRow[]) =>
  new HttpError(409, `This place may already exist: ${candidates[0]?.name ?? ''}`, {
    code: SIMILAR_LOCATION,
    fields: { candidates: candidates.map(({ _id }) => _id).join(' ') },
  });

/** Places to walk: search, add, edit, and remove. */
export function mountLocations(api: Api): void {
  const { services } = api;
  const { db } = services;
  const limitSearches = services.limiter({ name: 'locations', points: 240, seconds: 60 });
  const limitNew = services.limiter({ name: 'new-locations', points: 30, seconds: 3_600 });
  const tiles = tilesOf(services.env);
  services.registerJob('location stats', () => runPlacesJob(db));
  services.registerJob('location retention', () => runOldVisitsJob(db));

  serve(api, searchLocations, async ({ query, caller: { user } }) => {
    await limitSearches(user._id);
    const [hidden, advertisements] = await Promise.all([
      hiddenFrom(db, user._id),
      query.include_ads ? listingsNear(services, query) : [],
    ]);
    return { ...(await search(db, user._id, query, hidden)), advertisements };
  });

  serve(api, getMapTiles, async () => ({ tiles }));

  mountTips(api);
  mountPhotos(api);
  mountVisits(api);
  mountReports(api);
  mountAdminLocations(api);

  serve(api, getLocation, async ({ params, caller: { user } }) => {
    await limitSearches(user._id);
    const row = await findVisible(db, params.id, user._id);
    const [hidden, tips, rated, is_used_by_others] = await Promise.all([
      hiddenFrom(db, user._id),
      locationTips(db)
        .find({
          location_id: row._id,
          is_active: true,
          $or: [{ is_public: true }, { creator_user_id: user._id }],
        })
        .sort({ is_helpful_count: -1, created_at: -1, _id: 1 })
        .limit(TIPS_MAX)
        .toArray(),
      lastRated(db, { location_id: row._id, user_id: user._id }),
      isUsedByOthers(db, row),
    ]);
    const read = tips.filter(({ creator_user_id }) => !hidden.has(creator_user_id ?? ''));
    const authors = read.flatMap(({ creator_user_id }) => creator_user_id ?? []);
    const [names, photos] = await Promise.all([
      namesOf(db, authors),
      photosOf(db, row._id, hidden),
    ]);
    return {
      location: {
        ...presentLocation(row, hidden),
        tips: read.map((tip) => ({
          ...presentTip(tip, names),
          is_helpful: tip.helpful_user_ids.includes(user._id),
        })),
        photos,
        own_rating: rated?.rating ?? null,
        is_used_by_others,
      },
    };
  });

  serve(api, createLocation, async ({ body, caller: { user }, freshId, ctx }) => {
    await limitNew(user._id);
    const { confirm_new, ...fields } = body;
    const _id = freshId();
    const made = ctx.get('idempotency-key') ? await locations(db).findOne({ _id }) : null;
    if (made) return { location: presentLocation(made) };
    await refuseContent(services, {
      user_id: user._id,
      content_type: 'location',
      content_id: _id,
      fields: seenByOthers(fields),
    });
    const now = new Date();
    const row = {
      _id,
      creator_user_id: user._id,
      ...said(fields),
      ...newPlace(now),
      updated_at: now,
    };
    if (confirm_new) await locations(db).insertOne(row);
    const candidates = confirm_new ? [] : await addUnlessSimilar(db, row);
    if (candidates.length > 0) throw similar(candidates);
    return { location: presentLocation(row) };
  });

  /**
   * @throws HttpError 404 for other users’ places, and for a merged one, because its target wasn’t meant
   */
  async function findOwn(id: string, userId: string): Promise<LocationRow> {
    const row = await findVisible(db, id, userId);
    if (row._id !== id || row.creator_user_id !== userId) throw notFound('Location');
    return row;
  }

  serve(api, updateLocation, async ({ params, body, caller: { user } }) => {
    await limitNew(user._id);
    const imported = await locations(db).findOne({
      _id: params.id,
      imported: { $exists: true },
      is_active: true,
    });
    const own = imported ?? (await findOwn(params.id, user._id));
    await refuseContent(services, {
      user_id: user._id,
      content_type: 'location',
      content_id: own._id,
      fields: seenByOthers(imported ? { ...body, is_public: true } : body),
    });
    if (imported)
      return { location: presentLocation(await correct(db, imported, said(body), user._id)) };
    const write = (which: Filter<LocationRow>, more: Partial<LocationRow> = {}) =>
      locations(db).findOneAndUpdate(
        { ...which, creator_user_id: user._id, is_active: true },
        { $set: { ...said(body), updated_at: new Date(), ...more } },
        { returnDocument: 'after' },
      );
    let row: LocationRow | null;
    if (body.is_public || !own.is_public) row = await write({ _id: own._id });
    else {
      await whenDecided(db, own._id);
      row = await withLease(db, own._id, null, async (leased) => {
        if (await isUsedByOthersForSure(db, leased))
          throw new HttpError(409, 'Other people use this place now, so it stays public', {
            code: 'in_use',
          });
        // After a crash, the background job shows what was behind it.
        return write(underLease(leased), uncheck());
      });
      if (row) await showImportedBehind(db, row._id);
    }
    if (!row) {
      // Another change is in progress; a retry finds its result.
      if (await locations(db).findOne({ _id: own._id, lease: { $exists: true } }))
        throw unavailable('locations');
      throw notFound('Location');
    }
    return { location: presentLocation(row) };
  });

  serve(api, deleteLocation, async ({ params, caller: { user } }) => {
    const merged = { _id: params.id, creator_user_id: user._id, merged_into: { $ne: null } };
    if (await locations(db).findOne(merged)) return { is_removed: true };
    const own = await findOwn(params.id, user._id);
    return { is_removed: await leaveLocation(db, own) };
  });
}
