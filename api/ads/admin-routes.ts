import {
  advertisementAnalytics,
  createAdvertisement,
  deleteAdvertisement,
  listAdvertisements,
  updateAdvertisement,
  type Advertisement,
} from '#shared/ads/admin-contract.ts';
import { isDuplicate } from '../database.ts';
import { Refusal } from '../refusal.ts';
import { serve } from '../serve.ts';
import type { Api } from '../services.ts';
import { clickAnalytics } from './analytics.ts';
import { countsOf, uncounted } from './counts.ts';
import type { AdvertisementRow } from './rows.ts';

const notFound = () => new Refusal(404, 'Advertisement not found');
const dateOf = <T extends null | undefined>(time: string | T): Date | T =>
  typeof time === 'string' ? new Date(time) : time;

/** The admin panel's house ads. */
export function mountAdvertisements(api: Api): void {
  const { database } = api.services;
  const { advertisements } = database;

  async function present(rows: AdvertisementRow[]): Promise<Advertisement[]> {
    const counts = await countsOf(database, rows);
    return rows.map(({ _id, created_at, expires_at, ...row }) => ({
      ...row,
      ...counts.get(_id),
      id: _id,
      created_at: created_at.toISOString(),
      expires_at: expires_at?.toISOString() ?? null,
    }));
  }
  const presentOne = async (row: AdvertisementRow | null) => {
    const [advertisement] = row ? await present([row]) : [];
    if (!advertisement) throw notFound();
    return { advertisement };
  };

  serve(api, listAdvertisements, async () => {
    const rows = await advertisements.find().sort({ created_at: -1, _id: 1 }).toArray();
    return { advertisements: await present(rows) };
  });

  serve(api, createAdvertisement, async ({ body, freshId }) => {
    const row: AdvertisementRow = {
      _id: freshId(),
      ...body,
      expires_at: dateOf(body.expires_at),
      created_at: new Date(),
      ...uncounted(),
    };
    try {
      await advertisements.insertOne(row);
    } catch (error) {
      // The first try of the same request got so far.
      if (!isDuplicate(error)) throw error;
    }
    return presentOne(await advertisements.findOne({ _id: row._id }));
  });

  serve(api, updateAdvertisement, async ({ params, body }) => {
    // Undefined stays as it is; null is 'none'.
    const set = { ...body, expires_at: dateOf(body.expires_at) };
    const changes = Object.values(set).some((value) => value !== undefined);
    const which = { _id: params.id };
    const row = changes
      ? await advertisements.findOneAndUpdate(which, { $set: set }, { returnDocument: 'after' })
      : await advertisements.findOne(which);
    return presentOne(row);
  });

  // Its clicks stay, with the title and the address that it had.
  serve(api, deleteAdvertisement, async ({ params }) => {
    const { deletedCount } = await advertisements.deleteOne({ _id: params.id });
    if (deletedCount === 0) throw notFound();
    return {};
  });

  serve(api, advertisementAnalytics, () => clickAnalytics(database, new Date()));
}
