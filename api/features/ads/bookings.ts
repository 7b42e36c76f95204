import type { Filter, Db } from 'mongodb';
import type { Placement } from '#shared/ads/contract.ts';
import { type BookingRow, counters } from './collections.ts';
import { bookingsThatAre } from './status-filters.ts';

/** Filters the active paid ads of a placement. */
export const running = (placement: Placement, now: Date): Filter<BookingRow> => ({
  placement,
  ...bookingsThatAre('active', now),
});

/** The next free number of a paid ad. */
export async function nextBookingId(db: Db): Promise<number> {
  const last = await counters(db).findOneAndUpdate(
    { _id: 'advertisement_bookings' },
    { $inc: { value: 1 } },
    { upsert: true, returnDocument: 'after' },
  );
  if (!last) throw new Error('the booking counter returned no row');
  return last.value;
}
