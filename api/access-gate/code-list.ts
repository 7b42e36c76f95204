import type { Document, Filter } from 'mongodb';
import type { z } from 'zod';
import type { exportCodes } from '#shared/access-gate/admin-contract.ts';
import type { Order } from '../admin/keyset-pagination.ts';
import { wordPrefixFilter } from '../admin/search.ts';
import type { AccessCodeRow } from './collections.ts';

type Wanted = z.output<NonNullable<(typeof exportCodes)['query']>>;

/** The orders in which admins see codes. */
export const CODE_ORDERS: Record<Wanted['sort'], Order<AccessCodeRow>> = {
  newest: ['created_at', -1],
  oldest: ['created_at', 1],
  code: ['code', 1],
  most_used: ['current_uses', -1],
};

/** Whether a code can be used follows from its switch and the time. */
const statusFilter = (status: NonNullable<Wanted['status']>, now: Date): Document => {
  switch (status) {
    case 'inactive':
      return { is_active: false };
    case 'expired':
      return { is_active: true, expires_at: { $lte: now } };
    case 'active':
      return { is_active: true, $or: [{ expires_at: null }, { expires_at: { $gt: now } }] };
  }
};

/** The condition for the codes that an admin wants to see; `now` decides which are over. */
export const codeFilter = (
  { search, status, source }: Wanted,
  now: Date,
): Filter<AccessCodeRow> => ({
  ...wordPrefixFilter(search),
  ...(status ? statusFilter(status, now) : {}),
  ...(source ? { source } : {}),
});
