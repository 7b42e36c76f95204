import type { TakenDownAd } from '#shared/advertisers/take-downs.ts';
import {
  canPutBack,
  canRefund,
  canRefundAfter,
  canTakeDown,
  downtimeMs,
  moneyTime,
} from '#shared/advertisers/take-downs.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { edit } from '../../../platform/admin/versioned-edit.ts';
import type { Services } from '../../../platform/services.ts';
import type { Caller } from '../../../platform/session-cache.ts';
import {
  type AdId,
  type BookingRow,
  type ListingRow,
  advertisementBookings,
  businessListings,
} from '../../ads/collections.ts';
import { paymentsAreOff } from '../../payments/payment-result.ts';
import { adRows, findAd, isTimed, monthsLeft, type PaidAd } from '../ads.ts';
import { advertisers } from '../collections.ts';
import { backOnlineEmail, refundedEmail, takenDownEmail } from '../email-templates.ts';
import type { AdvertiserEmail, AdvertiserEmails } from '../emails.ts';
import type { Purchases } from '../purchases.ts';
import type { Slots } from '../slots.ts';
import { planNotice } from './takedown-notices.ts';

const missing = 'Advertisement not found';

interface TakeDown {
  reason: string;
  /** Whether to refund the payment. */
  refund: boolean;
  version?: number | undefined;
}
type Refund = Pick<TakeDown, 'reason' | 'version'>;

/** What admins do about ads that should not be shown. */
export interface TakeDowns {
  /**
   * Stops showing the ad. With `refund`, the payment is refunded and a timed ad cannot be put back.
   * @throws HttpError 404; 409 when it is taken down already, or is neither running nor scheduled
   */
  takeDown(caller: Caller, id: AdId, options: TakeDown): Promise<void>;
  /**
   * Shows the ad again, and extends a listing by its downtime.
   * @throws HttpError 404; 409 when it is not taken down, is over, or is refunded
   */
  putBack(caller: Caller, id: AdId, version?: number): Promise<void>;
  /**
   * Refunds a timed ad whose time is over.
   * @throws HttpError 404; 409 while its time is not over, or when there is nothing to refund; 503 without payments
   */
  refund(caller: Caller, id: number, options: Refund): Promise<void>;
  /**
   * Refunds an ad that is not shown: one that was taken down, or a timed ad whose time is over.
   * @throws HttpError as `refund` does
   */
  payBack(caller: Caller, id: AdId, options: Refund): Promise<void>;
  /** Sends the emails that a crash left unsent. */
  runJob(): Promise<void>;
}

interface Parts {
  emails: AdvertiserEmails;
  slots: Slots;
  purchases: Purchases | null;
}

/** Each action is one update of the ad's row; the background job repeats what follows from it until it is done (decision 160). */
export function takeDowns(
  services: Pick<Services, 'audit' | 'db'>,
  { emails, slots, purchases }: Parts,
): TakeDowns {
  const { db } = services;

  async function read(id: AdId): Promise<PaidAd> {
    const ad = await findAd(db, id);
    if (!ad) throw new HttpError(404, missing);
    return ad;
  }

  type Changes = TakenDownAd &
    Pick<Partial<BookingRow>, 'cancelled_at' | 'refund_reason'> &
    Pick<Partial<ListingRow>, 'pending_refunds' | 'downtime_ms'>;

  const change = (
    caller: Caller,
    ad: PaidAd,
    action: NonNullable<PaidAd['unnotified_action']>,
    set: Changes,
    { version, reason = null }: { version?: number | undefined; reason?: string | null },
  ): Promise<PaidAd> =>
    edit(services, adRows(db, ad._id), {
      caller,
      version,
      missing,
      reason,
      derive: () => ({ unnotified_action: action }),
      act: `${isTimed(ad) ? 'advertiser-ad' : 'business-listing'}.${action}`,
      id: ad._id,
      set,
    });

  /** Extends a listing by its downtime, once. It is one atomic update, as a month may be paid at the same time. */
  async function extend(ad: ListingRow): Promise<ListingRow> {
    if (!ad.downtime_ms) return ad;
    const extended = await businessListings(db).findOneAndUpdate(
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
    return extended ?? (await businessListings(db).findOne({ _id: ad._id })) ?? ad;
  }

  /** Emails the advertiser about an action, once for each version of the ad. */
  async function notify(row: PaidAd): Promise<void> {
    const ad = isTimed(row) ? row : await extend(row);
    if (!ad.unnotified_action) return;
    const advertiser = await advertisers(db).findOne({ _id: ad.advertiser_id });
    const { cause, due, last } = await planNotice(ad, emails, new Date());
    const email = emailAbout(ad, advertiser?.time_zone ?? 'UTC');
    if (cause) await emails.send(cause, advertiser, email, due);
    await adRows(db, ad._id).updateOne(
      { _id: ad._id, version: ad.version },
      { $set: { last_notice: last }, $unset: { unnotified_action: '', extended_ms: '' } },
    );
  }

  const actions: TakeDowns = {
    async takeDown(caller, id, { reason, refund, version }) {
      const ad = await read(id);
      const now = new Date();
      if (!canTakeDown(ad, now) && !(refund && canRefund(ad, now)))
        throw new HttpError(409, 'This ad isn’t running or scheduled');
      const money = isTimed(ad)
        ? { cancelled_at: now }
        : { pending_refunds: monthsLeft(ad, moneyTime(ad, now)) };
      const set = {
        taken_down_at: ad.taken_down_at ?? now,
        taken_down_reason: reason,
        ...(refund && money),
      };
      const after = await change(caller, ad, 'take-down', set, { version, reason });
      if (isTimed(after) && after.cancelled_at) await slots.release(after._id);
      await notify(after);
      // The background job does whatever the gateway does not do now.
      if (refund) await purchases?.payBack(after);
    },

    async putBack(caller, id, version) {
      const ad = await read(id);
      const now = new Date();
      if (!canPutBack(ad, now)) throw new HttpError(409, 'This ad can’t be restored');
      const set = {
        taken_down_at: null,
        taken_down_reason: null,
        ...(!isTimed(ad) && { downtime_ms: downtimeMs(ad, now) || undefined }),
      };
      await notify(await change(caller, ad, 'put-back', set, { version }));
    },

    async refund(caller, id, { reason, version }) {
      if (!purchases) throw paymentsAreOff();
      const ad = await read(id);
      const now = new Date();
      if (!isTimed(ad) || !canRefundAfter(ad, now)) throw nothingLeft();
      const set = { cancelled_at: now, refund_reason: reason };
      const after = await change(caller, ad, 'refund', set, { version, reason });
      await notify(after);
      await purchases.payBack(after);
    },

    async payBack(caller, id, options) {
      if (!purchases) throw paymentsAreOff();
      const ad = await read(id);
      const now = new Date();
      if (isTimed(ad) && canRefundAfter(ad, now)) return actions.refund(caller, ad._id, options);
      if (!canRefund(ad, now)) throw nothingLeft();
      return actions.takeDown(caller, id, { ...options, refund: true });
    },

    async runJob() {
      const unnotified = { unnotified_action: { $exists: true } };
      for await (const ad of advertisementBookings(db).find(unnotified)) await notify(ad);
      for await (const ad of businessListings(db).find(unnotified)) await notify(ad);
    },
  };
  return actions;
}

const nothingLeft = () => new HttpError(409, 'There’s nothing left to refund for this ad');

function emailAbout(ad: PaidAd, zone: string): AdvertiserEmail {
  if (ad.unnotified_action === 'take-down') return takenDownEmail(ad);
  return ad.unnotified_action === 'refund' && isTimed(ad)
    ? refundedEmail(ad)
    : backOnlineEmail(ad, zone);
}
