import type { Filter } from 'mongodb';
import type { z } from 'zod';
import {
  advertisementAnalytics,
  changeAdvertisements,
  createAdvertisement,
  deleteAdvertisement,
  exportAdvertisements,
  getAdvertisement,
  listAdvertisements,
  updateAdvertisement,
  type Advertisement,
} from '#shared/ads/admin-contract.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { cacheSlowResult } from '../../platform/admin/adaptive-cache.ts';
import { doEach } from '../../platform/admin/do-each.ts';
import { type Order, readAll, readPage } from '../../platform/admin/keyset-pagination.ts';
import { statusFilter, wordPrefixFilter, wordsOf } from '../../platform/admin/search.ts';
import { serveExport } from '../../platform/admin/serve-export.ts';
import {
  createRow,
  dateOf,
  edit,
  removeRow,
  type Edit,
} from '../../platform/admin/versioned-edit.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import type { Caller } from '../../platform/session-cache.ts';
import { countsOf, uncounted } from './ad-counters.ts';
import { mountAdImages, ownImageUrl } from './ad-images.ts';
import { clickAnalytics } from './analytics.ts';
import { type AdvertisementRow, advertisements } from './collections.ts';

type Wanted = z.output<NonNullable<(typeof exportAdvertisements)['query']>>;

const AD_ORDERS: Record<Wanted['sort'], Order<AdvertisementRow>> = {
  newest: ['created_at', -1],
  oldest: ['created_at', 1],
  title: ['title', 1],
  priority: ['priority', -1],
};

const adFilter = ({ search, status, placement }: Wanted, now: Date): Filter<AdvertisementRow> => ({
  ...wordPrefixFilter(search),
  ...statusFilter(status, 'active', now),
  ...(placement ? { placement } : {}),
});

const missing = 'Advertisement not found';
const wordsOfAd = ({
  title,
  description,
  target_url,
}: Pick<AdvertisementRow, 'title' | 'description' | 'target_url'>) =>
  wordsOf(title, description, target_url);

/** The fields of an ad in the audit log. */
const auditFields = (row: AdvertisementRow) => ({
  title: row.title,
  description: row.description,
  image_url: row.image_url,
  target_url: row.target_url,
  placement: row.placement,
  priority: row.priority,
  active: row.active,
  expires_at: row.expires_at,
});

/** The admin panel's house ads. */
export function mountAdvertisements(api: Api): void {
  const { services } = api;
  const { db } = services;
  mountAdImages(api);

  async function present(rows: AdvertisementRow[]): Promise<Advertisement[]> {
    const counts = await countsOf(db, rows);
    return rows.map(({ _id, created_at, expires_at, version = 0, ...row }) => ({
      ...row,
      ...counts.get(_id),
      id: _id,
      created_at: created_at.toISOString(),
      expires_at: expires_at?.toISOString() ?? null,
      version,
    }));
  }
  const presentOne = async (row: AdvertisementRow | null) => {
    const [advertisement] = row ? await present([row]) : [];
    if (!advertisement) throw new HttpError(404, missing);
    return { advertisement };
  };

  const change = (
    caller: Caller,
    id: string,
    set: Edit<AdvertisementRow>['set'],
    version: number | undefined,
  ) =>
    edit(services, advertisements(db), {
      caller,
      act: 'advertisement.update',
      id,
      version,
      set,
      derive: (row) => ({ words: wordsOfAd(row) }),
      missing,
    });
  // Its clicks stay, with its title and URL.
  const remove = (caller: Caller, id: string, version: number | undefined) =>
    removeRow(services, advertisements(db), {
      caller,
      act: 'advertisement.delete',
      id,
      version,
      missing,
      auditFields,
    });

  serve(api, listAdvertisements, async ({ query }) => {
    const filter = adFilter(query, new Date());
    const { rows, paged } = await readPage(advertisements(db), {
      filter,
      orders: AD_ORDERS,
      query,
    });
    return { advertisements: await present(rows), ...paged };
  });

  serveExport(api, exportAdvertisements, {
    kind: 'advertisement',
    name: 'advertisements',
    rows: (query) =>
      readAll(advertisements(db), {
        filter: adFilter(query, new Date()),
        orders: AD_ORDERS,
        query,
      }),
    columns: {
      Title: (row) => row.title,
      Description: (row) => row.description,
      'Target URL': (row) => row.target_url,
      'Image URL': (row) => row.image_url,
      Placement: (row) => row.placement,
      Priority: (row) => row.priority,
      Active: (row) => (row.active ? 'yes' : 'no'),
      Expires: (row) => row.expires_at,
      Created: (row) => row.created_at,
    },
  });

  serve(api, getAdvertisement, async ({ params: { id } }) =>
    presentOne(await advertisements(db).findOne({ _id: id })),
  );

  serve(api, createAdvertisement, async ({ body, caller, freshId }) => {
    const row: AdvertisementRow = {
      _id: freshId(),
      ...body,
      image_url: await ownImageUrl(services, body.image_url),
      expires_at: dateOf(body.expires_at),
      created_at: new Date(),
      words: wordsOfAd(body),
      ...uncounted(),
    };
    const act = 'advertisement.create';
    return presentOne(
      await createRow(services, advertisements(db), {
        caller,
        act,
        row,
        auditFields: auditFields(row),
      }),
    );
  });

  serve(api, updateAdvertisement, async ({ params, body, caller }) => {
    const { version, ...rest } = body;
    // Undefined means unchanged; null means none.
    const set = {
      ...rest,
      image_url: await ownImageUrl(services, body.image_url),
      expires_at: dateOf(body.expires_at),
    };
    return presentOne(await change(caller, params.id, set, version));
  });

  serve(api, deleteAdvertisement, async ({ params, query: { version }, caller }) => {
    await remove(caller, params.id, version);
    return {};
  });

  serve(api, changeAdvertisements, async ({ body: { action, items }, caller }) =>
    doEach(items, async ({ id, version }) =>
      action === 'delete'
        ? remove(caller, id, version)
        : change(caller, id, { active: action === 'activate' }, version),
    ),
  );

  serve(
    api,
    advertisementAnalytics,
    cacheSlowResult(() => clickAnalytics(db, new Date())),
  );
}
