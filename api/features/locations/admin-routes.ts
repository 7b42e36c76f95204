import type { Filter, Db } from 'mongodb';
import type { z } from 'zod';
import { HttpError, notFound } from '#shared/http/http-error.ts';
import {
  changeAdminLocation,
  changeAdminLocations,
  changeAdminTip,
  dismissLocationReports,
  editAdminLocation,
  editAdminTip,
  exportAdminLocations,
  getAdminLocation,
  listAdminLocations,
  mergeLocations,
  type AdminLocation,
} from '#shared/locations/admin-contract.ts';
import { TIPS_MAX } from '#shared/locations/rules.ts';
import { metersBetween } from '#shared/place.ts';
import { doEach } from '../../platform/admin/do-each.ts';
import { readAll, readPage, type Order } from '../../platform/admin/keyset-pagination.ts';
import { wordPrefixFilter, wordsOf } from '../../platform/admin/search.ts';
import { serveExport } from '../../platform/admin/serve-export.ts';
import { edit, type Edit } from '../../platform/admin/versioned-edit.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api, Services } from '../../platform/services.ts';
import type { Caller } from '../../platform/session-cache.ts';
import {
  type LocationReportRow,
  type LocationRow,
  type TipRow,
  locations,
  locationTips,
  locationReports,
} from './collections.ts';
import { correctionOf } from './corrections.ts';
import { chooseTips, countReports, uncheck } from './location-stats.ts';
import { cannotMerge, mergePlaces } from './merge.ts';
import { placeOf, pointOf, presentLocation, presentTip } from './store.ts';

const NEAR_METERS = 1_000;
const NEAR_MAX = 10;
const REPORTS_MAX = 100;

const ORDERS: Record<'newest' | 'oldest' | 'most_reported', Order<LocationRow>> = {
  newest: ['created_at', -1],
  oldest: ['created_at', 1],
  most_reported: ['open_reports', -1],
};

/** Matches public places with reports that nobody decided. */
export const REPORTED_PLACES = { is_public: true, open_reports: { $gt: 0 } };

/** Private places are excluded, even for admins. */
const FILTERS: Record<'shown' | 'hidden' | 'merged' | 'reported', Filter<LocationRow>> = {
  shown: { is_active: true },
  hidden: { is_active: false, merged_into: null },
  // Its partial index covers strings only.
  merged: { merged_into: { $type: 'string' } },
  reported: { open_reports: { $gt: 0 } },
};

const filterOf = ({
  status,
  search,
}: Pick<z.output<NonNullable<(typeof exportAdminLocations)['query']>>, 'status' | 'search'>) => ({
  is_public: true,
  ...(status && FILTERS[status]),
  ...wordPrefixFilter(search),
});

const present = (row: LocationRow): AdminLocation => ({
  ...presentLocation(row),
  merged_into: row.merged_into,
  open_reports: row.open_reports,
  created_at: row.created_at.toISOString(),
  version: row.version ?? 0,
});

const presentAdminTip = (row: TipRow) => ({ ...presentTip(row), version: row.version ?? 0 });

/** Moderation of places and tips. */
export function mountAdminLocations(api: Api): void {
  const { services } = api;
  const { db, audit } = services;

  serve(api, listAdminLocations, async ({ query }) => {
    const filter = filterOf(query);
    const { rows, paged } = await readPage(locations(db), { filter, orders: ORDERS, query });
    return { locations: rows.map(present), ...paged };
  });

  serveExport(api, exportAdminLocations, {
    kind: 'location',
    name: 'places',
    rows: (query) => readAll(locations(db), { filter: filterOf(query), orders: ORDERS, query }),
    columns: {
      Name: (row) => row.name,
      Description: (row) => row.description,
      Type: (row) => row.location_type,
      Address: (row) => row.address,
      Latitude: (row) => row.point.coordinates[1],
      Longitude: (row) => row.point.coordinates[0],
      Shown: (row) => (row.is_active ? 'yes' : 'no'),
      'Merged into': (row) => row.merged_into,
      Visits: (row) => row.visit_count,
      Tips: (row) => row.tip_count,
      'Open reports': (row) => row.open_reports,
      Created: (row) => row.created_at,
    },
  });

  serve(api, getAdminLocation, async ({ params: { id } }) => {
    const row = await find(db, id);
    const [tips, reports, near] = await Promise.all([
      locationTips(db)
        .find({ location_id: id, is_public: true })
        .sort({ is_helpful_count: -1, created_at: -1 })
        .limit(TIPS_MAX)
        .toArray(),
      locationReports(db)
        .find({ location_id: id, status: 'pending' })
        .sort({ created_at: 1 })
        .limit(REPORTS_MAX)
        .toArray(),
      locations(db)
        .find({
          _id: { $ne: id },
          is_public: true,
          is_active: true,
          point: { $nearSphere: { $geometry: row.point, $maxDistance: NEAR_METERS } },
        })
        .limit(NEAR_MAX)
        .toArray(),
    ]);
    return {
      location: present(row),
      tips: tips.map(presentAdminTip),
      reports: reports.map((report) => ({
        id: report._id,
        tip_id: report.kind === 'tip' ? report.subject_id : null,
        report_type: report.report_type,
        description: report.description,
        created_at: report.created_at.toISOString(),
      })),
      near: near.map((other) => ({
        id: other._id,
        name: other.name,
        meters: Math.round(metersBetween(placeOf(row), placeOf(other))),
      })),
    };
  });

  serve(api, changeAdminLocation, async ({ params, body, caller }) => {
    const { is_active, version, reason } = body;
    return {
      location: present(
        await setShown(services, caller, params.id, { is_active, version, reason }),
      ),
    };
  });

  serve(api, editAdminLocation, async ({ params: { id }, body, caller }) => {
    await findUnmerged(db, id);
    const { version, latitude, longitude, description, address, ...texts } = body;
    const point =
      latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
    const row = await edit(services, locations(db), {
      caller,
      act: 'location.update',
      id,
      version,
      set: {
        ...texts,
        // Forms send empty fields as null, too.
        description: description === null ? '' : description,
        address: address === null ? '' : address,
        point: point && pointOf(point),
      },
      derive: (next) => {
        const words = wordsOf(next.name, next.address);
        const correction = correctionOf({ ...next, words }, caller.user._id);
        return { words, ...correction, updated_at: new Date() };
      },
      missing: 'Location not found',
    });
    return { location: present(row) };
  });

  serve(api, changeAdminLocations, async ({ body: { items, is_active }, caller }) =>
    doEach(items, ({ id, version }) => setShown(services, caller, id, { is_active, version })),
  );

  serve(api, editAdminTip, async ({ params: { id }, body: { version, ...set }, caller }) => ({
    tip: presentAdminTip(
      await editTip(services, id, { caller, act: 'location-tip.update', version, set }),
    ),
  }));

  serve(api, changeAdminTip, async ({ params: { id }, body, caller }) => {
    const { is_active, version, reason = null } = body;
    const act = is_active ? 'location-tip.restore' : 'location-tip.hide';
    const tip = await editTip(services, id, { caller, act, version, set: { is_active }, reason });
    if (!is_active) await settle(db, { location_id: tip.location_id, subject_id: id }, 'resolved');
    return { tip: presentAdminTip(tip) };
  });

  serve(api, dismissLocationReports, async ({ params: { id }, body, caller }) => {
    const { open_reports } = await find(db, id);
    const act = { caller, subject_id: id, reason: body.reason ?? null };
    const change = { before: { open_reports }, after: { open_reports: 0 } };
    await audit({ ...act, ...change, act: 'location.dismiss-reports' }, () =>
      settle(db, { location_id: id }, 'dismissed'),
    );
    return { location: present(await find(db, id)) };
  });

  serve(api, mergeLocations, async ({ params: { id }, body: { into_id }, caller }) => {
    const [from, into] = await Promise.all([find(db, id), find(db, into_id)]);
    if (id === into_id || !into.is_active || (from.merged_into ?? into_id) !== into_id)
      throw cannotMerge();
    const change = {
      before: { name: from.name },
      after: { merged_into: into_id, name: into.name },
    };
    await audit({ caller, subject_id: id, act: 'location.merge', ...change }, async () => {
      await mergePlaces(db, id, into_id);
      await settle(db, { location_id: into_id, subject_id: id }, 'resolved');
    });
    return { location: present(await find(db, into_id)) };
  });
}

/** @throws HttpError 404 */
async function find(db: Db, id: string): Promise<LocationRow> {
  const row = await locations(db).findOne({ _id: id, is_public: true });
  if (!row) throw notFound('Location');
  return row;
}

/** @throws HttpError 404; 409 */
async function findUnmerged(db: Db, id: string): Promise<void> {
  const { merged_into } = await find(db, id);
  if (merged_into !== null)
    throw new HttpError(409, 'This location was merged into another', { code: 'merged' });
}

/** Closes open reports, and updates the place’s row. */
async function settle(
  db: Db,
  of: Pick<LocationReportRow, 'location_id'> & { subject_id?: string },
  status: 'resolved' | 'dismissed',
): Promise<void> {
  await locations(db).updateOne({ _id: of.location_id }, { $set: uncheck() });
  await locationReports(db).updateMany(
    { ...of, status: 'pending' },
    { $set: { status, resolved_at: new Date() } },
  );
  await countReports(db, of.location_id);
}

async function setShown(
  services: Services,
  caller: Caller,
  id: string,
  {
    is_active,
    version,
    reason,
  }: { is_active: boolean; version?: number | undefined; reason?: string | null | undefined },
): Promise<LocationRow> {
  await findUnmerged(services.db, id);
  const row = await edit(services, locations(services.db), {
    caller,
    act: is_active ? 'location.restore' : 'location.hide',
    id,
    version,
    set: { is_active },
    missing: 'Location not found',
    reason: reason ?? null,
  });
  if (!is_active) await settle(services.db, { location_id: id, subject_id: id }, 'resolved');
  return (await locations(services.db).findOne({ _id: id })) ?? row;
}

/** Edits a public tip and the copy in its place's row. @throws HttpError 404 */
async function editTip(
  services: Services,
  id: string,
  change: Omit<Edit<TipRow>, 'id' | 'missing'>,
): Promise<TipRow> {
  const before = await locationTips(services.db).findOne({ _id: id, is_public: true });
  if (!before) throw notFound('Tip');
  await locations(services.db).updateOne({ _id: before.location_id }, { $set: uncheck() });
  const missing = 'Tip not found';
  const tip = await edit(services, locationTips(services.db), { ...change, id, missing });
  await chooseTips(services.db, tip.location_id);
  return tip;
}
