import { toast } from 'sonner';
import {
  cancelTimedAd,
  updateListing,
  updateTimedAd,
  type Listing,
  type TimedAd,
} from '#shared/advertisers/dashboard-contract.ts';
import type { z } from 'zod';
import { call } from '../../http/api.ts';
import { CallError } from '../../http/api-client.ts';

type TimedWords = z.input<NonNullable<(typeof updateTimedAd)['body']>>;
type ListingWords = Exclude<
  z.input<NonNullable<(typeof updateListing)['body']>>,
  { paused: boolean }
>;

export interface DashboardActions {
  saveTimed: (ad: TimedAd, words: TimedWords) => Promise<void>;
  saveListing: (listing: Listing, words: ListingWords) => Promise<void>;
  /** Says itself when it did not work. */
  pause: (listing: Listing, paused: boolean) => Promise<void>;
  /** Says itself what came of it. */
  cancel: (ad: TimedAd) => Promise<void>;
}

/** Tells what the server refused; a call that nobody answered has its own words. @throws what is no answer of a call */
export const say = (error: unknown): void => {
  if (!(error instanceof CallError)) throw error;
  toast.error(error.message);
};

/** What an advertiser does with an ad; the dashboard is read anew after each. */
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
      await call(updateListing, { params: { id }, body: { paused } }).catch(say);
      await refresh();
    },
    async cancel({ id, spent_cents }) {
      try {
        await call(cancelTimedAd, { params: { id } });
        toast(spent_cents > 0 ? 'Ad cancelled. Your refund is on its way.' : 'Ad cancelled.');
      } catch (error) {
        say(error);
      }
      await refresh();
    },
  };
}
