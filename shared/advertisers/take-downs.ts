import {
  bookingStatus,
  listingStatus,
  type BookingTimes,
  type ListingTimes,
} from '../ads/rules.ts';

/** What stands on an ad that an admin took down; null, or nothing, on others. */
export interface TakenDownAd {
  taken_down_at?: Date | null;
  taken_down_reason?: string | null;
}

type Ad = BookingTimes | ListingTimes;

/** Where an ad would stand if nobody had taken it down. */
function statusOf(ad: Ad, now: Date) {
  const shown = { ...ad, taken_down_at: null };
  return 'scheduled_start_at' in shown ? bookingStatus(shown, now) : listingStatus(shown, now);
}

const isOn = (ad: Ad, now: Date): boolean =>
  ['scheduled', 'active', 'paused'].includes(statusOf(ad, now));

/** Whether an admin may take an ad down: it is shown, or will be. */
export const canTakeDown = (ad: Ad, now: Date): boolean => !ad.taken_down_at && isOn(ad, now);

/** What counts as now for the money of an ad: a listing's time stands still while it is down, a timed ad's does not. */
export const moneyTime = (ad: Ad, now: Date): Date =>
  'scheduled_start_at' in ad ? now : (ad.taken_down_at ?? now);

/** Whether the money of an ad that was taken down may still be given back: its time is not over. */
export const canRefund = (ad: Ad, now: Date): boolean =>
  Boolean(ad.taken_down_at) && isOn(ad, moneyTime(ad, now));

/** Whether it may be put back. A listing may also when its month is over: its advertiser can renew it then. */
export const canPutBack = (ad: Ad, now: Date): boolean =>
  Boolean(ad.taken_down_at) && (isOn(ad, now) || statusOf(ad, now) === 'expired');

/** Whether what was paid for a timed ad may be given back afterwards: its time is over, and the money is here. */
export const canRefundAfter = (ad: BookingTimes, now: Date): boolean =>
  ad.payment_status === 'completed' && !ad.cancelled_at && now >= ad.scheduled_end_at;

/**
 * How much later a listing that is put back ends: by the time that it was down, where that was paid for.
 * @returns milliseconds
 */
export function downtimeMs(
  { taken_down_at, subscription_end_date: end, pending_approval }: ListingTimes,
  now: Date,
): number {
  // The month of a listing that waits for its review begins with the approval.
  if (!taken_down_at || !end || end <= taken_down_at || pending_approval) return 0;
  return Math.max(0, now.getTime() - taken_down_at.getTime());
}
