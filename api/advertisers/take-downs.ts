import type { TakenDownAd } from '#shared/advertisers/take-downs.ts';
import { canPutBack, canRefund, canTakeDown } from '#shared/advertisers/take-downs.ts';
import { LISTING_DAYS } from '#shared/advertisers/rules.ts';
import { edit } from '../admin/edit.ts';
import type { AdId, ListingRow } from '../ads/rows.ts';
import type { Caller } from '../people.ts';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';
import { findAd, isTimed, type PaidAd } from './ads.ts';
import { backLetter, takenDownLetter } from './letter-texts.ts';
import type { AdvertiserLetters } from './letters.ts';
import type { Purchases } from './purchases.ts';
import type { Slots } from './slots.ts';

const MONTH_MS = LISTING_DAYS * 24 * 3_600_000;
const missing = 'Advertisement not found';

interface Wish {
  reason: string;
  /** Whether what was paid is given back. */
  refund: boolean;
  version?: number | undefined;
}

/** What admins do about ads that should not be shown. */
export interface TakeDowns {
  /**
   * Nobody sees the ad any more. With `refund` the money goes back, and a timed ad does not come back.
   * @throws Refusal 404; 409 when it is taken down already, or neither runs nor is to run
   */
  takeDown(caller: Caller, id: AdId, wish: Wish): Promise<void>;
  /** @throws Refusal 404; 409 when it is not taken down, or its time or its money has gone */
  putBack(caller: Caller, id: AdId, version?: number): Promise<void>;
  /** Writes the letters that a crash left unwritten. */
  sweep(): Promise<void>;
}

interface Parts {
  letters: AdvertiserLetters;
  slots: Slots;
  purchases: Purchases | null;
}

export function takeDowns(
  services: Pick<Services, 'audit' | 'database'>,
  { letters, slots, purchases }: Parts,
): TakeDowns {
  const { advertisers, advertisementBookings, businessListings } = services.database;

  async function read(id: AdId): Promise<PaidAd> {
    const ad = await findAd(services.database, id);
    if (!ad) throw new Refusal(404, missing);
    return ad;
  }

  async function change(
    caller: Caller,
    ad: PaidAd,
    deed: 'take-down' | 'put-back',
    set: TakenDownAd & { cancelled_at?: Date; owed?: string[] },
    { version, reason = null }: { version?: number | undefined; reason?: string | null },
  ): Promise<PaidAd> {
    const { cancelled_at, owed, ...down } = set;
    const common = { caller, version, missing, reason, derive: () => ({ untold: deed }) };
    return isTimed(ad)
      ? edit(services, advertisementBookings, {
          ...common,
          act: `advertiser-ad.${deed}`,
          id: ad._id,
          set: { ...down, cancelled_at },
        })
      : edit(services, businessListings, {
          ...common,
          act: `business-listing.${deed}`,
          id: ad._id,
          set: { ...down, owed },
        });
  }

  /** Once for each version of the ad, whoever tells it. */
  async function tell(ad: PaidAd): Promise<void> {
    if (!ad.untold) return;
    const advertiser = await advertisers.findOne({ _id: ad.advertiser_id });
    const letter = ad.untold === 'take-down' ? takenDownLetter(ad) : backLetter(ad);
    await letters.send(`${ad.untold} ${ad.version} ${ad._id}`, advertiser, letter);
    const told = { $unset: { untold: '' as const } };
    const { version } = ad;
    if (isTimed(ad)) await advertisementBookings.updateOne({ _id: ad._id, version }, told);
    else await businessListings.updateOne({ _id: ad._id, version }, told);
  }

  return {
    async takeDown(caller, id, { reason, refund, version }) {
      const ad = await read(id);
      const now = new Date();
      if (!canTakeDown(ad, now) && !(refund && canRefund(ad, now)))
        throw new Refusal(409, 'This advertisement is not shown, and will not be');
      const down = { taken_down_at: ad.taken_down_at ?? now, taken_down_reason: reason };
      const back = isTimed(ad) ? { cancelled_at: now } : { owed: monthsLeft(ad, now) };
      const set = { ...down, ...(refund && back) };
      const after = await change(caller, ad, 'take-down', set, { version, reason });
      if (isTimed(after) && after.cancelled_at) await slots.release(after._id);
      await tell(after);
      // What the gateway does not do now is done by the sweep.
      if (refund) await purchases?.payBack(after);
    },

    async putBack(caller, id, version) {
      const ad = await read(id);
      if (!canPutBack(ad, new Date()))
        throw new Refusal(409, 'This advertisement cannot be put back');
      const none = { taken_down_at: null, taken_down_reason: null };
      await tell(await change(caller, ad, 'put-back', none, { version }));
    },

    async sweep() {
      const untold = { untold: { $exists: true } };
      for await (const ad of advertisementBookings.find(untold)) await tell(ad);
      for await (const ad of businessListings.find(untold)) await tell(ad);
    },
  };
}

/** The payments of the months that are not over, of those that were not paid back. */
function monthsLeft(
  {
    paid,
    paid_back,
    subscription_end_date: end,
  }: Pick<ListingRow, 'paid' | 'paid_back' | 'subscription_end_date'>,
  now: Date,
): string[] {
  const left = end ? Math.ceil((end.getTime() - now.getTime()) / MONTH_MS) : 0;
  const standing = paid.filter((payment) => !paid_back.includes(payment));
  return left > 0 ? standing.slice(-left) : [];
}
