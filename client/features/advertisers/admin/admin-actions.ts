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
import type { BulkAct } from '../../../platform/admin/list/bulk-bar.tsx';
import { bulkActs } from '../../../platform/admin/list/use-row-actions.ts';
import { toastError } from '../../../platform/admin/toast-error.ts';
import { singleFlight } from '../../../platform/forms/single-flight.ts';
import { call } from '../../../platform/http/api.ts';
import { queries } from '../../../platform/http/query-client.ts';

export type AdminAd = AdminTimedAd | AdminListing;

/** Whether it is a timed ad, not a business listing. */
export const isTimed = (ad: AdminAd): ad is AdminTimedAd => 'title' in ad;

/** Returns the name of an ad for lists and dialogs. */
export const nameOf = (ad: AdminAd) => (isTimed(ad) ? ad.title : ad.business_name);

/** Refetches all lists of the tab. */
export const refresh = () =>
  Promise.all(
    ['advertiser-ads', 'business-listings', 'advertisers', 'ad-reviews'].map((list) =>
      queries.invalidateQueries({ queryKey: ['admin', list] }),
    ),
  );

/** Whether it is paid and its time isn't over, so that it can be taken down and refunded. */
export const isBooked = (ad: AdminAd, now: number): boolean =>
  isTimed(ad)
    ? ad.spent_cents > 0 && Date.parse(ad.scheduled_end_at) > now
    : ['active', 'paused'].includes(ad.status) || hasEndedDown(ad);

/** Whether a listing ended while it was taken down, when its remaining time was frozen. */
const hasEndedDown = ({ status, taken_down_at, subscription_end_date }: AdminListing): boolean =>
  status === 'expired' &&
  taken_down_at !== null &&
  subscription_end_date !== null &&
  Date.parse(subscription_end_date) > Date.parse(taken_down_at);

/** Whether it is paid and its time is over, so that it can only be refunded. */
export const isOver = (ad: AdminAd, now: number): ad is AdminTimedAd =>
  isTimed(ad) && ad.spent_cents > 0 && Date.parse(ad.scheduled_end_at) <= now;

export interface TakeDownRequest {
  reason: string;
  refund: boolean;
  version: number;
}

/** @returns the updated ad */
export async function takeDown(ad: AdminAd, body: TakeDownRequest): Promise<AdminAd> {
  const { advertisement } = isTimed(ad)
    ? await call(takeDownAd, { params: { id: ad.id }, body })
    : await call(takeDownListing, { params: { id: ad.id }, body });
  return advertisement;
}

/** Refunds a timed ad whose time is over. */
export const refundPast = ({ id, version }: AdminTimedAd, reason: string) =>
  call(refundAd, { params: { id }, body: { reason, version } });

/** Restores an ad, and shows the result. */
export const restore = (ad: AdminAd): Promise<void> =>
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

const reason = { hint: 'Shown to the advertisers.', max: TAKE_DOWN_REASON_MAX };

/** Describes the refund for an ad that isn't shown; null if there is none. */
function refundText(ad: AdminAd): string | null {
  const now = Date.now();
  if (!isOver(ad, now) && !(ad.taken_down_at && isBooked(ad, now))) return null;
  return isTimed(ad)
    ? `${dollars(ad.spent_cents)} → Refunded`
    : `${dollars(ad.monthly_cost_cents)} for each unused month → Refunded`;
}

/** Creates the bulk actions of a list of ads. */
const actsOf = <Ad extends AdminAd>(
  // Both endpoints have the same shape.
  endpoint: typeof changeAdvertiserAds,
): BulkAct<Ad>[] =>
  bulkActs<Ad, AdChanges['action']>(
    [
      {
        action: 'take-down',
        undo: 'put-back',
        name: 'Take down',
        done: 'Taken down',
        isDestructive: true,
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
        effect: refundText,
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
