import type { Db, Filter } from 'mongodb';
import type { z } from 'zod';
import {
  changeAdminHazard,
  changeAdminHazards,
  exportAdminHazards,
  listAdminHazards,
  sanctionHazardAuthor,
  type AdminHazard,
} from '#shared/hazards/admin-contract.ts';
import { HAZARD_NAMES } from '#shared/hazards/rules.ts';
import { notFound } from '#shared/http/http-error.ts';
import { doEach } from '../../platform/admin/do-each.ts';
import { readAll, readPage, type Order } from '../../platform/admin/keyset-pagination.ts';
import { wordPrefixFilter } from '../../platform/admin/search.ts';
import { serveExport } from '../../platform/admin/serve-export.ts';
import { edit } from '../../platform/admin/versioned-edit.ts';
import { sign } from '../../platform/hmac.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api, Services } from '../../platform/services.ts';
import type { Caller } from '../../platform/session-cache.ts';
import { namesOfTowns } from '../geocoder/gazetteer.ts';
import { placeOf } from '../locations/store.ts';
import { refuseAdmin } from '../moderation/reports/resolve-report.ts';
import { recordSanction, takeEffect } from '../moderation/sanctions.ts';
import { hazards, type HazardRow } from './collections.ts';
import { commonFieldsOf, contentOf, currentHazards } from './store.ts';

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

async function filterOf(
  db: Db,
  { status, kind, search, same_author_as }: Wanted,
): Promise<Filter<HazardRow>> {
  const same = same_author_as && (await hazards(db).findOne({ _id: same_author_as }));
  return {
    ...statusFilter(status),
    ...(kind && { kind }),
    ...wordPrefixFilter(search),
    ...(same_author_as && { creator_user_id: same ? same.creator_user_id : '' }),
  };
}

type Secret = Pick<Services['env'], 'SYNC_SECRET'>;

/** Stands for the author of hazards; nobody can get an account from it. */
const authorRef = ({ SYNC_SECRET }: Secret, { creator_user_id }: HazardRow): string =>
  sign(SYNC_SECRET, `hazard author ${creator_user_id}`).slice(0, 6);

const present = (env: Secret, row: HazardRow, near: string | null): AdminHazard => ({
  ...commonFieldsOf(row),
  // Also what reports hide from members: the admin judges them.
  ...contentOf(row),
  near,
  author_ref: authorRef(env, row),
  report_count: row.reported_user_ids.length,
  is_hidden: row.is_hidden,
  is_removed: row.is_removed ?? false,
  version: row.version ?? 0,
});

/** Moderation of hazards. */
export function mountAdminHazards(api: Api): void {
  const { services } = api;
  const { db, env } = services;

  const setRemoved = (
    caller: Caller,
    id: string,
    {
      is_removed,
      version,
      reason,
    }: { is_removed: boolean; version?: number | undefined; reason?: string | null | undefined },
  ): Promise<HazardRow> =>
    edit(services, hazards(db), {
      caller,
      act: is_removed ? 'hazard.remove' : 'hazard.restore',
      id,
      version,
      // Once an admin has restored it, members can't hide it any more.
      set: is_removed
        ? { is_removed, is_approved: false }
        : { is_removed, is_approved: true, is_hidden: false },
      missing: 'Hazard not found',
      reason: reason ?? null,
    });

  serve(api, listAdminHazards, async ({ query }) => {
    const filter = await filterOf(db, query);
    const { rows, paged } = await readPage(hazards(db), { filter, orders: ORDERS, query });
    const near = await namesOfTowns(rows.map(placeOf));
    return { hazards: rows.map((row, at) => present(env, row, near[at] ?? null)), ...paged };
  });

  serveExport(api, exportAdminHazards, {
    kind: 'hazard',
    name: 'hazards',
    async *rows(query) {
      const filter = await filterOf(db, query);
      yield* readAll(hazards(db), { filter, orders: ORDERS, query });
    },
    columns: {
      Kind: (row) => HAZARD_NAMES[row.kind],
      Description: (row) => row.description,
      Dog: (row) => row.dog_name ?? '',
      Contact: (row) => row.contact ?? '',
      Photo: (row) => (row.image_key ? 'yes' : 'no'),
      Author: (row) => authorRef(env, row),
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
    const row = await setRemoved(caller, params.id, { is_removed, version, reason });
    const [near = null] = await namesOfTowns([placeOf(row)]);
    return { hazard: present(env, row, near) };
  });

  serve(api, changeAdminHazards, async ({ body: { items, is_removed }, caller }) =>
    doEach(items, ({ id, version }) => setRemoved(caller, id, { is_removed, version })),
  );

  // Neither the audit log nor the list of sanctions says whose hazard it was.
  serve(api, sanctionHazardAuthor, async ({ params: { id }, body: sanction, caller, freshId }) => {
    const row = await hazards(db).findOne({ _id: id });
    if (!row) throw notFound('Hazard');
    const user_id = row.creator_user_id;
    await refuseAdmin(services, user_id);
    const warning = await services.audit(
      {
        caller,
        act: 'hazard.sanction',
        subject_id: id,
        before: null,
        after: sanction,
        reason: sanction.reason,
      },
      () =>
        recordSanction(services, {
          id: freshId(),
          user_id,
          sanction,
          admin_user_id: caller.user._id,
          report_id: null,
          is_anonymous: true,
        }),
    );
    if (!warning) throw notFound('User');
    await takeEffect(services, warning);
    return {};
  });
}
