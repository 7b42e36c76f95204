import {
  bookingStatus,
  listingStatus,
  type BookingTimes,
  type ListingTimes,
} from '../ads/rules.ts';

/** Set on an ad that an admin took down; null or absent on others. */
export interface TakenDownAd {
  taken_down_at?: Date | null;
  taken_down_reason?: string | null;
}

type Ad = BookingTimes | ListingTimes;

/** The status of an ad as if it were not taken down. */
function statusOf(ad: Ad, now: Date) {
  const shown = { ...ad, taken_down_at: null };
  return 'scheduled_start_at' in shown ? bookingStatus(shown, now) : listingStatus(shown, now);
}

const isOn = (ad: Ad, now: Date): boolean =>
  ['scheduled', 'active', 'paused'].includes(statusOf(ad, now));

/** Whether an admin may take an ad down: it is shown or scheduled. */
export const canTakeDown = (ad: Ad, now: Date): boolean => !ad.taken_down_at && isOn(ad, now);

/** The time that a refund is computed for: a listing's time stops while it is taken down, a timed ad's does not. */
export const moneyTime = (ad: Ad, now: Date): Date =>
  'scheduled_start_at' in ad ? now : (ad.taken_down_at ?? now);

/** Whether an ad that was taken down can be refunded: its time is not over. */
export const canRefund = (ad: Ad, now: Date): boolean =>
  Boolean(ad.taken_down_at) && isOn(ad, moneyTime(ad, now));

/** Whether an ad can be put back. An expired listing can, too: its advertiser can renew it then. */
export const canPutBack = (ad: Ad, now: Date): boolean =>
  Boolean(ad.taken_down_at) && (isOn(ad, now) || statusOf(ad, now) === 'expired');

/** Whether a timed ad can be refunded afterward: its time is over, and it is not refunded yet. */
export const canRefundAfter = (ad: BookingTimes, now: Date): boolean =>
  ad.payment_status === 'completed' && !ad.cancelled_at && now >= ad.scheduled_end_at;

/**
 * The paid time that a listing lost while it was taken down, by which it is extended when it is put back.
 * @returns milliseconds
 */
export function downtimeMs(
  { taken_down_at, subscription_end_date: end, pending_approval }: ListingTimes,
  now: Date,
): number {
  // The month of a listing that is pending approval begins with the approval.
  if (!taken_down_at || !end || end <= taken_down_at || pending_approval) return 0;
  return Math.max(0, now.getTime() - taken_down_at.getTime());
}
