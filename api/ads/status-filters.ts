import type { Filter } from 'mongodb';
import type { BookingRow, ListingRow } from './rows.ts';

const UNPAID = { payment_status: { $in: ['pending' as const, 'failed' as const] } };
const PAID = { payment_status: 'completed' as const };
const isSet = { $type: 'date' as const };

/** Why a timed ad is cancelled; there is an index of those alone. */
export const CANCELLED = {
  $or: [
    { cancelled_at: isSet },
    { payment_status: 'refunded' as const },
    { ...PAID, taken_down_at: isSet },
  ],
};

/** What a timed ad is whose time alone says the rest; there is an index of those alone. */
export const RUNNING = { ...PAID, cancelled_at: null, taken_down_at: null };

/** Why a listing is paused; there is an index of those alone. */
export const PAUSED = { $or: [{ paused_at: isSet }, { taken_down_at: isSet }] };

/** The rows that `bookingStatus` says this of. */
export function bookingsThatAre(status: string | undefined, now: Date): Filter<BookingRow> {
  if (status === 'unpaid') return { ...UNPAID, cancelled_at: null };
  if (status === 'scheduled') return { ...RUNNING, scheduled_start_at: { $gt: now } };
  if (status === 'active')
    return { ...RUNNING, scheduled_start_at: { $lte: now }, scheduled_end_at: { $gt: now } };
  if (status === 'completed') return { ...RUNNING, scheduled_end_at: { $lte: now } };
  // All have been created: said, for an index is looked at only where its first field is asked for.
  return status ? { created_at: isSet, ...CANCELLED } : {};
}

/** The rows that `listingStatus` says this of. */
export function listingsThatAre(status: string | undefined, now: Date): Filter<ListingRow> {
  const isOn = { ...PAID, subscription_end_date: { $gt: now } };
  if (status === 'unpaid') return UNPAID;
  if (status === 'active') return { ...isOn, paused_at: null, taken_down_at: null };
  if (status === 'paused') return { created_at: isSet, ...isOn, ...PAUSED };
  if (status === 'expired') return { ...PAID, subscription_end_date: { $lte: now } };
  return status ? { payment_status: 'refunded' } : {};
}
