import type { Document, Filter } from 'mongodb';
import type { z } from 'zod';
import type { exportAdvertisements } from '#shared/ads/admin-contract.ts';
import type { Order } from '../admin/keyset-pagination.ts';
import { wordPrefixFilter } from '../admin/search.ts';
import type { AdvertisementRow } from './collections.ts';

type Wanted = z.output<NonNullable<(typeof exportAdvertisements)['query']>>;

/** The orders in which admins see house ads. */
export const AD_ORDERS: Record<Wanted['sort'], Order<AdvertisementRow>> = {
  newest: ['created_at', -1],
  oldest: ['created_at', 1],
  title: ['title', 1],
  priority: ['priority', -1],
};

const statusFilter = (status: NonNullable<Wanted['status']>, now: Date): Document => {
  switch (status) {
    case 'inactive':
      return { active: false };
    case 'expired':
      return { active: true, expires_at: { $lte: now } };
    case 'active':
      return { active: true, $or: [{ expires_at: null }, { expires_at: { $gt: now } }] };
  }
};

/** The condition for the house ads that an admin wants to see. */
export const adFilter = (
  { search, status, placement }: Wanted,
  now: Date,
): Filter<AdvertisementRow> => ({
  ...wordPrefixFilter(search),
  ...(status ? statusFilter(status, now) : {}),
  ...(placement ? { placement } : {}),
});
