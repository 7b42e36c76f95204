import type { Filter } from 'mongodb';
import type { z } from 'zod';
import {
  changeAdminHazard,
  changeAdminHazards,
  exportAdminHazards,
  listAdminHazards,
  type AdminHazard,
} from '#shared/hazards/admin-contract.ts';
import { HAZARD_NAMES } from '#shared/hazards/rules.ts';
import { doEach } from '../admin/bulk.ts';
import { serveExport } from '../admin/csv.ts';
import { readAll, readPage, type Order } from '../admin/keyset-pagination.ts';
import { wordPrefixFilter } from '../admin/search.ts';
import { edit } from '../admin/versioned-edit.ts';
import { serve } from '../http/mount-endpoint.ts';
import type { Api } from '../services.ts';
import type { Caller } from '../session-cache.ts';
import { hazards, type HazardRow } from './collections.ts';
import { currentHazards, publicFieldsOf } from './store.ts';

const ORDERS: Record<'newest' | 'oldest', Order<HazardRow>> = {
  newest: ['reported_at', -1],
  oldest: ['reported_at', 1],
};

type Wanted = z.output<NonNullable<(typeof exportAdminHazards)['query']>>;

/** Returns the filter of a status; a removed or hidden hazard may have expired, too. */
function statusFilter(status: Wanted['status']): Filter<HazardRow> {
  switch (status) {
    case 'shown':
      return currentHazards();
    case 'hidden':
      return { is_hidden: true, is_removed: { $ne: true } };
    case 'removed':
      return { is_removed: true };
    case 'expired':
      return { expires_at: { $lte: new Date() } };
    case undefined:
      return {};
  }
}

const filterOf = ({ status, kind, search }: Wanted): Filter<HazardRow> => ({
  ...statusFilter(status),
  ...(kind && { kind }),
  ...wordPrefixFilter(search),
});

const present = (row: HazardRow): AdminHazard => ({
  ...publicFieldsOf(row),
  report_count: row.reported_user_ids.length,
  is_hidden: row.is_hidden,
  is_removed: row.is_removed ?? false,
  version: row.version ?? 0,
});

/** Moderation of hazards. */
export function mountAdminHazards(api: Api): void {
  const { services } = api;
  const { db } = services;

  const setRemoved = (
    caller: Caller,
    id: string,
    is_removed: boolean,
    version?: number,
    reason?: string | null,
  ): Promise<HazardRow> =>
    edit(services, hazards(db), {
      caller,
      act: is_removed ? 'hazard.remove' : 'hazard.restore',
      id,
      version,
      set: { is_removed },
      missing: 'Hazard not found',
      reason: reason ?? null,
    });

  serve(api, listAdminHazards, async ({ query }) => {
    const filter = filterOf(query);
    const { rows, paged } = await readPage(hazards(db), { filter, orders: ORDERS, query });
    return { hazards: rows.map(present), ...paged };
  });

  serveExport(api, exportAdminHazards, {
    kind: 'hazard',
    name: 'hazards',
    rows: (query) => readAll(hazards(db), { filter: filterOf(query), orders: ORDERS, query }),
    columns: {
      Kind: (row) => HAZARD_NAMES[row.kind],
      Description: (row) => row.description,
      Latitude: (row) => row.point.coordinates[1],
      Longitude: (row) => row.point.coordinates[0],
      Reported: (row) => row.reported_at,
      Expires: (row) => row.expires_at,
      Confirmed: (row) => row.confirmed_user_ids.length,
      Denied: (row) => row.denied_user_ids.length,
      Reports: (row) => row.reported_user_ids.length,
      'Hidden by members': (row) => (row.is_hidden ? 'yes' : 'no'),
      Removed: (row) => (row.is_removed ? 'yes' : 'no'),
    },
  });

  serve(api, changeAdminHazard, async ({ params, body, caller }) => {
    const { is_removed, version, reason } = body;
    return { hazard: present(await setRemoved(caller, params.id, is_removed, version, reason)) };
  });

  serve(api, changeAdminHazards, async ({ body: { items, is_removed }, caller }) =>
    doEach(items, ({ id, version }) => setRemoved(caller, id, is_removed, version)),
  );
}
