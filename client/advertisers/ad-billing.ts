import type { Listing, TimedAd } from '#shared/advertisers/dashboard-contract.ts';

type Ad = TimedAd | Listing;
export const isTimed = (ad: Ad): ad is TimedAd => 'title' in ad;

/** Which month of a listing the next payment is for; a timed ad has one payment. */
export const periodOf = (ad: Ad): number => (isTimed(ad) ? 0 : ad.next_period);

/** What the next payment costs, in cents. */
export const centsOf = (ad: Ad): number => (isTimed(ad) ? ad.cost_cents : ad.monthly_cost_cents);

/** Whether a timed ad has not begun: it can be changed, cancelled, and paid. */
export const isAhead = (ad: Ad, now: number): ad is TimedAd =>
  isTimed(ad) &&
  ['scheduled', 'pending', 'failed'].includes(ad.status) &&
  Date.parse(ad.scheduled_start_at) > now;

/** Whether nothing was paid for it yet. */
export const isUnpaid = ({ status }: Ad): boolean => status === 'pending' || status === 'failed';

/** Whether there is something to pay: for the first time, or a listing's next month. */
export const isPayable = (ad: Ad): boolean =>
  isTimed(ad) ? isUnpaid(ad) : ad.status !== 'cancelled' && !ad.taken_down_at;
