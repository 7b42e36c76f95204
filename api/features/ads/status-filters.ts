import type { Filter } from 'mongodb';
import {
  CANCELLED,
  isSet,
  PAID,
  PAUSED,
  RUNNING,
  type BookingRow,
  type ListingRow,
} from './collections.ts';

const UNPAID = { payment_status: { $in: ['pending' as const, 'failed' as const] } };
const NOT_PENDING_APPROVAL = { pending_approval: { $exists: false } };

/** Filters the bookings of a `bookingStatus`. */
export function bookingsThatAre(status: string | undefined, now: Date): Filter<BookingRow> {
  if (status === 'unpaid') return { ...UNPAID, cancelled_at: null };
  if (status === 'scheduled') return { ...RUNNING, scheduled_start_at: { $gt: now } };
  if (status === 'active')
    return {
      ...RUNNING,
      ...NOT_PENDING_APPROVAL,
      scheduled_start_at: { $lte: now },
      scheduled_end_at: { $gt: now },
    };
  if (status === 'completed')
    return { ...RUNNING, ...NOT_PENDING_APPROVAL, scheduled_end_at: { $lte: now } };
  if (!status) return {};
  const isAhead = { ...RUNNING, pending_approval: true as const, scheduled_start_at: { $gt: now } };
  // All rows have `created_at`; an index is used only if the filter contains its first field.
  return { created_at: isSet, ...CANCELLED, $nor: [isAhead] };
}

/** Filters the listings of a `listingStatus`. */
export function listingsThatAre(status: string | undefined, now: Date): Filter<ListingRow> {
  const isOn = { ...PAID, subscription_end_date: { $gt: now } };
  if (status === 'unpaid') return UNPAID;
  if (status === 'active')
    return { ...isOn, ...NOT_PENDING_APPROVAL, paused_at: null, taken_down_at: null };
  if (status === 'paused') return { created_at: isSet, ...isOn, ...PAUSED };
  if (status === 'expired') return { ...PAID, subscription_end_date: { $lte: now } };
  return status ? { payment_status: 'refunded' } : {};
}
