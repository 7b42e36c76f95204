import type { Filter } from 'mongodb';
import type { Placement } from '#shared/ads/contract.ts';
import type { Database } from '../database.ts';
import { uncounted } from './counts.ts';
import type { BookingRow, CountedRow } from './rows.ts';

/** The paid ads that run now: what `bookingStatus` calls active. */
export const running = (placement: Placement, now: Date): Filter<BookingRow> => ({
  placement,
  payment_status: 'completed',
  cancelled_at: null,
  scheduled_start_at: { $lte: now },
  scheduled_end_at: { $gt: now },
});

/** Keeps a paid ad under the next free number. */
export async function addBooking(
  { advertisementBookings, counters }: Pick<Database, 'advertisementBookings' | 'counters'>,
  booking: Omit<BookingRow, '_id' | keyof CountedRow>,
): Promise<BookingRow> {
  const last = await counters.findOneAndUpdate(
    { _id: 'advertisement_bookings' },
    { $inc: { value: 1 } },
    { upsert: true, returnDocument: 'after' },
  );
  if (!last) throw new Error('the counter of paid ads gave no number');
  const row = { _id: last.value, ...booking, ...uncounted() };
  await advertisementBookings.insertOne(row);
  return row;
}
