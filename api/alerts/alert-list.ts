import type { Filter } from 'mongodb';
import type { z } from 'zod';
import type { exportAlerts } from '#shared/alerts/admin-contract.ts';
import type { Order } from '../admin/keyset-pagination.ts';
import { wordPrefixFilter } from '../admin/search.ts';
import type { EmergencyAlertRow } from './collections.ts';

type Wanted = z.output<NonNullable<(typeof exportAlerts)['query']>>;

/** The orders in which admins see alerts. */
export const ALERT_ORDERS: Record<Wanted['sort'], Order<EmergencyAlertRow>> = {
  newest: ['created_at', -1],
  oldest: ['created_at', 1],
};

/** Whether an alert holds follows from its switch and the time. */
function statusFilter(status: Wanted['status'], now: Date): Filter<EmergencyAlertRow> {
  if (status === 'active')
    return { is_active: true, $or: [{ expires_at: null }, { expires_at: { $gt: now } }] };
  return status === 'over' ? { $or: [{ is_active: false }, { expires_at: { $lte: now } }] } : {};
}

/** The condition for the alerts that an admin wants to see. */
export const alertFilter = (
  { search, status, severity, source }: Wanted,
  now: Date,
): Filter<EmergencyAlertRow> => ({
  ...wordPrefixFilter(search),
  ...statusFilter(status, now),
  ...(severity ? { severity } : {}),
  ...(source ? { source } : {}),
});
