import { toast } from 'sonner';
import type { z } from 'zod';
import {
  cancelTimedAd,
  updateListing,
  updateTimedAd,
  type Listing,
  type TimedAd,
} from '#shared/advertisers/dashboard-contract.ts';
import { CallError } from '../../../platform/http/api-client.ts';
import { call } from '../../../platform/http/api.ts';
import { messageOf } from '../../../platform/http/error-message.ts';

type TimedText = z.input<NonNullable<(typeof updateTimedAd)['body']>>;
type ListingText = Exclude<
  z.input<NonNullable<(typeof updateListing)['body']>>,
  { paused: boolean }
>;

export interface DashboardActions {
  saveTimed: (ad: TimedAd, text: TimedText) => Promise<void>;
  saveListing: (listing: Listing, text: ListingText) => Promise<void>;
  /** Shows errors itself. */
  pause: (listing: Listing, paused: boolean) => Promise<void>;
  /** Shows the result itself. */
  cancel: (ad: TimedAd) => Promise<void>;
}

/** Shows a failed call in a toast. @throws other errors */
export const toastCallError = (error: unknown): void => {
  if (!(error instanceof CallError)) throw error;
  toast.error(messageOf(error));
};

/** Returns the advertiser's actions on ads; each refreshes the dashboard. */
export function useDashboardActions(refresh: () => Promise<unknown>): DashboardActions {
  return {
    async saveTimed({ id }, body) {
      await call(updateTimedAd, { params: { id }, body });
      await refresh();
    },
    async saveListing({ id }, body) {
      await call(updateListing, { params: { id }, body });
      await refresh();
    },
    async pause({ id }, paused) {
      await call(updateListing, { params: { id }, body: { paused } }).catch(toastCallError);
      await refresh();
    },
    async cancel({ id, spent_cents }) {
      try {
        await call(cancelTimedAd, { params: { id } });
        toast(spent_cents > 0 ? 'Ad cancelled. Your refund is on its way.' : 'Ad cancelled.');
      } catch (error) {
        toastCallError(error);
      }
      await refresh();
    },
  };
}
