import type { Collection, Db } from 'mongodb';
import { LISTING_DAYS } from '#shared/advertisers/rules.ts';
import { DAY_MS } from '#shared/time.ts';
import {
  type AdId,
  type BookingRow,
  type ListingRow,
  advertisementBookings,
  businessListings,
} from '../ads/collections.ts';

/** What advertisers pay for: a time in a placement, or a month of a listing. */
export type PaidAd = BookingRow | ListingRow;

/** Whether it is a timed ad, whose ids are numbers; otherwise it is a business listing. */
export const isTimed = (ad: PaidAd): ad is BookingRow => typeof ad._id === 'number';

/** The collection of a paid ad. */
export const adRows = (db: Db, id: AdId): Collection<PaidAd> =>
  // The driver's types cannot express a collection of either kind.
  (typeof id === 'number'
    ? advertisementBookings(db)
    : businessListings(db)) as unknown as Collection<PaidAd>;

/** @param advertisers if given, only an ad of these is found */
export const findAd = (db: Db, _id: AdId, advertisers?: string[]): Promise<PaidAd | null> =>
  adRows(db, _id).findOne<PaidAd>({
    _id,
    ...(advertisers && { advertiser_id: { $in: advertisers } }),
  });

/** The period that the next payment of an ad is for: the number of months paid so far. */
export const periodsOf = (ad: PaidAd): number => (isTimed(ad) ? 0 : ad.paid.length);

/** Whether its money is refunded, or will be. */
export const isRefunded = (ad: PaidAd): boolean =>
  isTimed(ad) ? ad.cancelled_at !== null : (ad.pending_refunds ?? []).length > 0;

const MONTH_MS = LISTING_DAYS * DAY_MS;

/** The payments of a listing's months that are not over by `now`, without refunded ones. */
export function monthsLeft(
  {
    paid,
    refunded_payments,
    subscription_end_date: end,
  }: Pick<ListingRow, 'paid' | 'refunded_payments' | 'subscription_end_date'>,
  now: Date,
): string[] {
  const left = end ? Math.ceil((end.getTime() - now.getTime()) / MONTH_MS) : 0;
  const valid = paid.filter((payment) => !refunded_payments.includes(payment));
  return left > 0 ? valid.slice(-left) : [];
}
