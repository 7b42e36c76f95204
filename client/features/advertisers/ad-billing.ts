import type { Listing, TimedAd } from '#shared/advertisers/dashboard-contract.ts';

type Ad = TimedAd | Listing;
export const isTimed = (ad: Ad): ad is TimedAd => 'title' in ad;

/** Returns the number of the month that the next payment of a listing is for; 0 for a timed ad. */
export const periodOf = (ad: Ad): number => (isTimed(ad) ? 0 : ad.next_period);

/** Returns the amount of the next payment in cents. */
export const centsOf = (ad: Ad): number => (isTimed(ad) ? ad.cost_cents : ad.monthly_cost_cents);

/** Whether a timed ad hasn't started, so that it can be edited, canceled, and paid. */
export const isAhead = (ad: Ad, now: number): ad is TimedAd =>
  isTimed(ad) &&
  ['scheduled', 'pending', 'failed'].includes(ad.status) &&
  Date.parse(ad.scheduled_start_at) > now;

/** Whether it hasn't been paid yet. */
export const isUnpaid = ({ status }: Ad): boolean => status === 'pending' || status === 'failed';

/** Whether it can be paid: for the first time, or for a listing's next month. */
export const isPayable = (ad: Ad): boolean =>
  isTimed(ad) ? isUnpaid(ad) : ad.status !== 'cancelled' && !ad.taken_down_at;
