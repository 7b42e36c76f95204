import { advertisers } from '../collections.ts';
import type { TakenDownAd } from '#shared/advertisers/take-downs.ts';
import {
  canPutBack,
  canRefund,
  canRefundAfter,
  canTakeDown,
  lostMs,
  moneyTime,
} from '#shared/advertisers/take-downs.ts';
import { edit } from '../../admin/versioned-edit.ts';
import { paymentsAreOff } from '../../payments/payment-result.ts';
import {
  type AdId,
  type BookingRow,
  type ListingRow,
  advertisementBookings,
  businessListings,
} from '../../ads/collections.ts';
import type { Caller } from '../../session-cache.ts';
import { HttpError } from '../../http/http-error.ts';
import type { Services } from '../../services.ts';
import { findAd, isTimed, monthsLeft, type PaidAd } from '../ads.ts';
import { planNotice } from './takedown-notices.ts';
import { backOnlineEmail, refundedEmail, takenDownEmail } from '../email-templates.ts';
import type { AdvertiserEmail, AdvertiserEmails } from '../emails.ts';
import type { Purchases } from '../purchases.ts';
import type { Slots } from '../slots.ts';

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
  /**
   * A listing ends later then, by the time that it was down.
   * @throws Refusal 404; 409 when it is not taken down, or its time or its money has gone
   */
  putBack(caller: Caller, id: AdId, version?: number): Promise<void>;
  /**
   * Gives back all that was paid for a timed ad whose time is over.
   * @throws Refusal 404; 409 while its time is not over, or when nothing of its money is here; 503 without payments
   */
  refund(caller: Caller, id: number, wish: Pick<Wish, 'reason' | 'version'>): Promise<void>;
  /**
   * Gives back what there is to give back of an ad that is not shown: that was taken down, or whose time is over.
   * @throws as `refund` does
   */
  payBack(caller: Caller, id: AdId, wish: Pick<Wish, 'reason' | 'version'>): Promise<void>;
  /** Writes the letters that a crash left unwritten. */
  sweep(): Promise<void>;
}

interface Parts {
  letters: AdvertiserEmails;
  slots: Slots;
  purchases: Purchases | null;
}

/** Each step is one change of the ad's row; what follows from it is repeated by the sweep until it is done (decision 163). */
export function takeDowns(
  services: Pick<Services, 'audit' | 'db'>,
  { letters, slots, purchases }: Parts,
): TakeDowns {
  async function read(id: AdId): Promise<PaidAd> {
    const ad = await findAd(services.db, id);
    if (!ad) throw new HttpError(404, missing);
    return ad;
  }

  type Deed = NonNullable<PaidAd['untold']>;
  interface Told {
    version?: number | undefined;
    reason?: string | null;
  }

  const noted = (caller: Caller, deed: Deed, { version, reason = null }: Told) => ({
    caller,
    version,
    missing,
    reason,
    derive: () => ({ untold: deed }),
  });

  const changeTimed = (
    caller: Caller,
    id: number,
    deed: Deed,
    set: Pick<Partial<BookingRow>, keyof TakenDownAd | 'cancelled_at' | 'refund_reason'>,
    told: Told,
  ): Promise<BookingRow> =>
    edit(services, advertisementBookings(services.db), {
      ...noted(caller, deed, told),
      act: `advertiser-ad.${deed}`,
      id,
      set,
    });

  const changeListing = (
    caller: Caller,
    id: string,
    deed: Deed,
    set: Pick<Partial<ListingRow>, keyof TakenDownAd | 'owed' | 'lost_ms'>,
    told: Told,
  ): Promise<ListingRow> =>
    edit(services, businessListings(services.db), {
      ...noted(caller, deed, told),
      act: `business-listing.${deed}`,
      id,
      set,
    });

  /** In one atomic step, once: a month that is paid meanwhile comes on top. */
  async function giveTimeBack(ad: ListingRow): Promise<ListingRow> {
    if (!ad.lost_ms) return ad;
    const moved = await businessListings(services.db).findOneAndUpdate(
      { _id: ad._id, lost_ms: { $gt: 0 } },
      [
        {
          $set: {
            subscription_end_date: { $add: ['$subscription_end_date', '$lost_ms'] },
            given_back_ms: '$lost_ms',
          },
        },
        { $unset: 'lost_ms' },
      ],
      { returnDocument: 'after' },
    );
    return moved ?? (await businessListings(services.db).findOne({ _id: ad._id })) ?? ad;
  }

  /** Once for each version of the ad, whoever tells it. */
  async function tell(row: PaidAd): Promise<void> {
    const ad = isTimed(row) ? row : await giveTimeBack(row);
    if (!ad.untold) return;
    const advertiser = await advertisers(services.db).findOne({ _id: ad.advertiser_id });
    const { cause, due, last } = await planNotice(ad, letters, new Date());
    const letter = letterAbout(ad, advertiser?.time_zone ?? 'UTC');
    if (cause) await letters.send(cause, advertiser, letter, due);
    const { version } = ad;
    const told = { $set: { last_letter: last }, $unset: { untold: '' as const } };
    if (isTimed(ad))
      await advertisementBookings(services.db).updateOne({ _id: ad._id, version }, told);
    else
      await businessListings(services.db).updateOne(
        { _id: ad._id, version },
        { ...told, $unset: { ...told.$unset, given_back_ms: '' } },
      );
  }

  const deeds: TakeDowns = {
    async takeDown(caller, id, { reason, refund, version }) {
      const ad = await read(id);
      const now = new Date();
      if (!canTakeDown(ad, now) && !(refund && canRefund(ad, now)))
        throw new HttpError(409, 'This ad isn’t running or scheduled');
      const down = { taken_down_at: ad.taken_down_at ?? now, taken_down_reason: reason };
      const told = { version, reason };
      const after = isTimed(ad)
        ? await changeTimed(
            caller,
            ad._id,
            'take-down',
            { ...down, ...(refund && { cancelled_at: now }) },
            told,
          )
        : await changeListing(
            caller,
            ad._id,
            'take-down',
            { ...down, ...(refund && { owed: monthsLeft(ad, moneyTime(ad, now)) }) },
            told,
          );
      if (isTimed(after) && after.cancelled_at) await slots.release(after._id);
      await tell(after);
      // What the gateway does not do now is done by the sweep.
      if (refund) await purchases?.payBack(after);
    },

    async putBack(caller, id, version) {
      const ad = await read(id);
      const now = new Date();
      if (!canPutBack(ad, now)) throw new HttpError(409, 'This ad can’t be restored');
      const none = { taken_down_at: null, taken_down_reason: null };
      if (isTimed(ad))
        return tell(await changeTimed(caller, ad._id, 'put-back', none, { version }));
      const lost_ms = lostMs(ad, now) || undefined;
      await tell(
        await changeListing(caller, ad._id, 'put-back', { ...none, lost_ms }, { version }),
      );
    },

    async refund(caller, id, { reason, version }) {
      if (!purchases) throw paymentsAreOff();
      const ad = await read(id);
      const now = new Date();
      if (!isTimed(ad) || !canRefundAfter(ad, now)) throw nothingLeft();
      const set = { cancelled_at: now, refund_reason: reason };
      const after = await changeTimed(caller, id, 'refund', set, { version, reason });
      await tell(after);
      await purchases.payBack(after);
    },

    async payBack(caller, id, wish) {
      if (!purchases) throw paymentsAreOff();
      const ad = await read(id);
      const now = new Date();
      if (isTimed(ad) && canRefundAfter(ad, now)) return deeds.refund(caller, ad._id, wish);
      if (!canRefund(ad, now)) throw nothingLeft();
      return deeds.takeDown(caller, id, { ...wish, refund: true });
    },

    async sweep() {
      const untold = { untold: { $exists: true } };
      for await (const ad of advertisementBookings(services.db).find(untold)) await tell(ad);
      for await (const ad of businessListings(services.db).find(untold)) await tell(ad);
    },
  };
  return deeds;
}

const nothingLeft = () => new HttpError(409, 'There’s nothing left to refund for this ad');

function letterAbout(ad: PaidAd, zone: string): AdvertiserEmail {
  if (ad.untold === 'take-down') return takenDownEmail(ad);
  return ad.untold === 'refund' && isTimed(ad) ? refundedEmail(ad) : backOnlineEmail(ad, zone);
}
