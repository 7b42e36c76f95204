import { toast } from 'sonner';
import {
  changeAdvertiserAds,
  changeListings,
  putBackAd,
  putBackListing,
  refundAd,
  takeDownAd,
  takeDownListing,
  type AdChanges,
  type AdminListing,
  type AdminTimedAd,
} from '#shared/advertisers/admin-contract.ts';
import { TAKE_DOWN_REASON_MAX } from '#shared/advertisers/reasons.ts';
import { dollars } from '#shared/money.ts';
import type { BulkAct } from '../../admin/list/bulk-bar.tsx';
import { toastError } from '../../admin/toast-error.ts';
import { bulkActs } from '../../admin/list/use-row-actions.ts';
import { call } from '../../http/api.ts';
import { queries } from '../../http/query-client.ts';
import { singleFlight } from '../../forms/single-flight.ts';

export type AdminAd = AdminTimedAd | AdminListing;

/** Whether it is a timed ad, and no business listing. */
export const isTimed = (ad: AdminAd): ad is AdminTimedAd => 'title' in ad;

/** What an ad is called in lists and questions. */
export const nameOf = (ad: AdminAd) => (isTimed(ad) ? ad.title : ad.business_name);

/** Has all lists of the tab read again. */
export const refresh = () =>
  Promise.all(
    ['advertiser-ads', 'business-listings', 'advertisers', 'ad-reviews'].map((list) =>
      queries.invalidateQueries({ queryKey: ['admin', list] }),
    ),
  );

/** Whether its time is not over and its money is here: it may be taken down, and paid back. */
export const isBooked = (ad: AdminAd, now: number): boolean =>
  isTimed(ad)
    ? ad.spent_cents > 0 && Date.parse(ad.scheduled_end_at) > now
    : ['active', 'paused'].includes(ad.status) || hasEndedDown(ad);

/** Whether a listing came to its end while it was down: its time stands still from then on. */
const hasEndedDown = ({ status, taken_down_at, subscription_end_date }: AdminListing): boolean =>
  status === 'expired' &&
  taken_down_at !== null &&
  subscription_end_date !== null &&
  Date.parse(subscription_end_date) > Date.parse(taken_down_at);

/** Whether its time is over and its money is here: it may be paid back all the same. */
export const isOver = (ad: AdminAd, now: number): ad is AdminTimedAd =>
  isTimed(ad) && ad.spent_cents > 0 && Date.parse(ad.scheduled_end_at) <= now;

export interface TakeDownRequest {
  reason: string;
  refund: boolean;
  version: number;
}

/** @returns the ad as it is then */
export async function takeDown(ad: AdminAd, body: TakeDownRequest): Promise<AdminAd> {
  const { advertisement } = isTimed(ad)
    ? await call(takeDownAd, { params: { id: ad.id }, body })
    : await call(takeDownListing, { params: { id: ad.id }, body });
  return advertisement;
}

/** Gives back the money of a timed ad whose time is over. */
export const payBack = ({ id, version }: AdminTimedAd, reason: string) =>
  call(refundAd, { params: { id }, body: { reason, version } });

/** Puts an ad back, and says what came of it. */
export const putBack = (ad: AdminAd): Promise<void> =>
  singleFlight(String(ad.id), async () => {
    const { version } = ad;
    try {
      if (isTimed(ad)) await call(putBackAd, { params: { id: ad.id }, body: { version } });
      else await call(putBackListing, { params: { id: ad.id }, body: { version } });
      toast(`“${nameOf(ad)}” is restored`);
    } catch (error) {
      toastError(error);
    }
    await refresh();
  });

const reason = { hint: 'Shown to the advertisers', max: TAKE_DOWN_REASON_MAX };

/** What goes back to the card for an ad that is not shown; null where nothing does. */
function moneyOf(ad: AdminAd): string | null {
  const now = Date.now();
  if (!isOver(ad, now) && !(ad.taken_down_at && isBooked(ad, now))) return null;
  return isTimed(ad)
    ? `${dollars(ad.spent_cents)} → Refunded`
    : `${dollars(ad.monthly_cost_cents)} for each unused month → Refunded`;
}

/** What can be done with several of a list at once. */
const actsOf = <Ad extends AdminAd>(
  // Both take and answer the same.
  endpoint: typeof changeAdvertiserAds,
): BulkAct<Ad>[] =>
  bulkActs<Ad, AdChanges['action']>(
    [
      {
        action: 'take-down',
        undo: 'put-back',
        name: 'Take down',
        done: 'Taken down',
        reason,
        effect: (ad) =>
          !ad.taken_down_at && ad.status !== 'cancelled' && isBooked(ad, Date.now())
            ? 'Shown → Taken down'
            : null,
      },
      {
        action: 'put-back',
        undo: 'take-down',
        undoReason: ({ taken_down_reason }) => taken_down_reason ?? '',
        name: 'Restore',
        done: 'Restored',
        effect: (ad) =>
          ad.taken_down_at && (isBooked(ad, Date.now()) || ad.status === 'expired')
            ? 'Taken down → Shown'
            : null,
      },
      {
        action: 'pay-back',
        name: 'Refund',
        done: 'Refunded',
        reason,
        effect: moneyOf,
      },
    ],
    (action, items, why) =>
      call(endpoint, {
        body: action === 'put-back' ? { action, items } : { action, items, reason: why },
      }),
    refresh,
  );

export const TIMED_ACTS = actsOf<AdminTimedAd>(changeAdvertiserAds);
export const LISTING_ACTS = actsOf<AdminListing>(changeListings);
