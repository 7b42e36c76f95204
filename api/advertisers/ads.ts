import type { Db } from 'mongodb';
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

/** Whether it is a timed ad (their ids are numbers), and no business listing. */
export const isTimed = (ad: PaidAd): ad is BookingRow => typeof ad._id === 'number';

/** @returns the ad of one of these advertisers; of anybody without them */
export async function findAd(db: Db, _id: AdId, advertisers?: string[]): Promise<PaidAd | null> {
  const whose = advertisers ? { advertiser_id: { $in: advertisers } } : {};
  return typeof _id === 'number'
    ? advertisementBookings(db).findOne({ _id, ...whose })
    : businessListings(db).findOne({ _id, ...whose });
}

/** How many times of an ad were paid: the number of the next one. */
export const periodsOf = (ad: PaidAd): number => (isTimed(ad) ? 0 : ad.paid.length);

const MONTH_MS = LISTING_DAYS * DAY_MS;

/** The payments of the months that are not over then, of those that were not paid back. */
export function monthsLeft(
  {
    paid,
    refunded_payments,
    subscription_end_date: end,
  }: Pick<ListingRow, 'paid' | 'refunded_payments' | 'subscription_end_date'>,
  now: Date,
): string[] {
  const left = end ? Math.ceil((end.getTime() - now.getTime()) / MONTH_MS) : 0;
  const standing = paid.filter((payment) => !refunded_payments.includes(payment));
  return left > 0 ? standing.slice(-left) : [];
}
