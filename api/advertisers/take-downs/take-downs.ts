import { advertisers } from '../collections.ts';
import type { TakenDownAd } from '#shared/advertisers/take-downs.ts';
import {
  canPutBack,
  canRefund,
  canRefundAfter,
  canTakeDown,
  downtimeMs,
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
   * @throws HttpError 404; 409 when it is taken down already, or neither runs nor is to run
   */
  takeDown(caller: Caller, id: AdId, wish: Wish): Promise<void>;
  /**
   * A listing ends later then, by the time that it was down.
   * @throws HttpError 404; 409 when it is not taken down, or its time or its money has gone
   */
  putBack(caller: Caller, id: AdId, version?: number): Promise<void>;
  /**
   * Gives back all that was paid for a timed ad whose time is over.
   * @throws HttpError 404; 409 while its time is not over, or when nothing of its money is here; 503 without payments
   */
  refund(caller: Caller, id: number, wish: Pick<Wish, 'reason' | 'version'>): Promise<void>;
  /**
   * Gives back what there is to give back of an ad that is not shown: that was taken down, or whose time is over.
   * @throws as `refund` does
   */
  payBack(caller: Caller, id: AdId, wish: Pick<Wish, 'reason' | 'version'>): Promise<void>;
  /** Writes the emails that a crash left unwritten. */
  sweep(): Promise<void>;
}

interface Parts {
  emails: AdvertiserEmails;
  slots: Slots;
  purchases: Purchases | null;
}

/** Each step is one change of the ad's row; what follows from it is repeated by the sweep until it is done (decision 163). */
export function takeDowns(
  services: Pick<Services, 'audit' | 'db'>,
  { emails, slots, purchases }: Parts,
): TakeDowns {
  async function read(id: AdId): Promise<PaidAd> {
    const ad = await findAd(services.db, id);
    if (!ad) throw new HttpError(404, missing);
    return ad;
  }

  type Action = NonNullable<PaidAd['unnotified_action']>;
  interface Told {
    version?: number | undefined;
    reason?: string | null;
  }

  const noted = (caller: Caller, action: Action, { version, reason = null }: Told) => ({
    caller,
    version,
    missing,
    reason,
    derive: () => ({ unnotified_action: action }),
  });

  const changeTimed = (
    caller: Caller,
    id: number,
    action: Action,
    set: Pick<Partial<BookingRow>, keyof TakenDownAd | 'cancelled_at' | 'refund_reason'>,
    told: Told,
  ): Promise<BookingRow> =>
    edit(services, advertisementBookings(services.db), {
      ...noted(caller, action, told),
      act: `advertiser-ad.${action}`,
      id,
      set,
    });

  const changeListing = (
    caller: Caller,
    id: string,
    action: Action,
    set: Pick<Partial<ListingRow>, keyof TakenDownAd | 'pending_refunds' | 'downtime_ms'>,
    told: Told,
  ): Promise<ListingRow> =>
    edit(services, businessListings(services.db), {
      ...noted(caller, action, told),
      act: `business-listing.${action}`,
      id,
      set,
    });

  /** In one atomic step, once: a month that is paid meanwhile comes on top. */
  async function giveTimeBack(ad: ListingRow): Promise<ListingRow> {
    if (!ad.downtime_ms) return ad;
    const moved = await businessListings(services.db).findOneAndUpdate(
      { _id: ad._id, downtime_ms: { $gt: 0 } },
      [
        {
          $set: {
            subscription_end_date: { $add: ['$subscription_end_date', '$downtime_ms'] },
            extended_ms: '$downtime_ms',
          },
        },
        { $unset: 'downtime_ms' },
      ],
      { returnDocument: 'after' },
    );
    return moved ?? (await businessListings(services.db).findOne({ _id: ad._id })) ?? ad;
  }

  /** Once for each version of the ad, whoever tells it. */
  async function tell(row: PaidAd): Promise<void> {
    const ad = isTimed(row) ? row : await giveTimeBack(row);
    if (!ad.unnotified_action) return;
    const advertiser = await advertisers(services.db).findOne({ _id: ad.advertiser_id });
    const { cause, due, last } = await planNotice(ad, emails, new Date());
    const email = emailAbout(ad, advertiser?.time_zone ?? 'UTC');
    if (cause) await emails.send(cause, advertiser, email, due);
    const { version } = ad;
    const told = { $set: { last_notice: last }, $unset: { unnotified_action: '' as const } };
    if (isTimed(ad))
      await advertisementBookings(services.db).updateOne({ _id: ad._id, version }, told);
    else
      await businessListings(services.db).updateOne(
        { _id: ad._id, version },
        { ...told, $unset: { ...told.$unset, extended_ms: '' } },
      );
  }

  const self: TakeDowns = {
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
            { ...down, ...(refund && { pending_refunds: monthsLeft(ad, moneyTime(ad, now)) }) },
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
      const downtime_ms = downtimeMs(ad, now) || undefined;
      await tell(
        await changeListing(caller, ad._id, 'put-back', { ...none, downtime_ms }, { version }),
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
      if (isTimed(ad) && canRefundAfter(ad, now)) return self.refund(caller, ad._id, wish);
      if (!canRefund(ad, now)) throw nothingLeft();
      return self.takeDown(caller, id, { ...wish, refund: true });
    },

    async sweep() {
      const unnotified_action = { unnotified_action: { $exists: true } };
      for await (const ad of advertisementBookings(services.db).find(unnotified_action))
        await tell(ad);
      for await (const ad of businessListings(services.db).find(unnotified_action)) await tell(ad);
    },
  };
  return self;
}

const nothingLeft = () => new HttpError(409, 'There’s nothing left to refund for this ad');

function emailAbout(ad: PaidAd, zone: string): AdvertiserEmail {
  if (ad.unnotified_action === 'take-down') return takenDownEmail(ad);
  return ad.unnotified_action === 'refund' && isTimed(ad)
    ? refundedEmail(ad)
    : backOnlineEmail(ad, zone);
}
