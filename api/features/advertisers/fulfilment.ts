import type { Document, Db } from 'mongodb';
import type { ReviewMode } from '#shared/advertisers/reviews.ts';
import { LISTING_DAYS } from '#shared/advertisers/rules.ts';
import { DAY_MS, MINUTE_MS } from '#shared/time.ts';
import type { Services } from '../../platform/services.ts';
import {
  type BookingRow,
  type ListingRow,
  advertisementBookings,
  businessListings,
} from '../ads/collections.ts';
import { providerStateOf } from '../payments/collections.ts';
import { findAd, isTimed, type PaidAd } from './ads.ts';
import { type AdPaymentRow, adPayments, advertisers } from './collections.ts';
import {
  disputeLostEmail,
  listedEmail,
  paymentStandsEmail,
  receiptEmail,
  refundEmail,
  scheduledEmail,
} from './email-templates.ts';
import type { AdvertiserEmails } from './emails.ts';
import { firstReview } from './reviews/review-state.ts';
import type { Slots } from './slots.ts';

/** A payment that we learn of this long after the start of the ad is refunded. */
const LATE_MS = 10 * MINUTE_MS;
const MONTH_MS = LISTING_DAYS * DAY_MS;

interface Parts {
  slots: Slots;
  emails: AdvertiserEmails;
  mode: ReviewMode;
  now: () => Date;
}

/** What a payment for an ad causes: the ad is booked, and its advertiser gets emails. */
export function createFulfilment(
  { db }: Pick<Services, 'db'>,
  { slots, emails, mode, now }: Parts,
): {
  fulfil(payment: AdPaymentRow): Promise<void>;
  takeBack(payment: AdPaymentRow): Promise<void>;
} {
  async function book(ad: BookingRow, paid_at: Date): Promise<void> {
    const hasTime = await slots.confirm(ad._id);
    const isLate = paid_at.getTime() >= ad.scheduled_start_at.getTime() + LATE_MS;
    // Canceled and completed: the caller or the background job refunds it.
    const cancellation = hasTime && !isLate ? {} : { cancelled_at: now() };
    const review = firstReview(ad.scheduled_start_at, { mode, at: paid_at });
    await advertisementBookings(db).updateOne(
      { _id: ad._id, payment_status: { $in: ['pending', 'failed'] } },
      { $set: { payment_status: 'completed', ...cancellation, ...review } },
    );
  }

  /** Adds a month from now, or from the end of the months paid before. */
  async function prolong({ _id }: ListingRow, payment: string, paid_at: Date): Promise<void> {
    const submitted = firstReview(null, { mode, at: paid_at });
    const isFirst = { $eq: ['$paid', []] };
    const review = Object.entries(submitted).map(([field, value]) => [
      field,
      { $cond: [isFirst, { $literal: value }, `$${field}`] },
    ]);
    const from = { $max: [paid_at, { $ifNull: ['$subscription_end_date', paid_at] }] };
    await businessListings(db).updateOne(
      { _id, paid: { $ne: payment }, refunded_payments: { $ne: payment } },
      [
        {
          $set: {
            paid: { $concatArrays: ['$paid', [{ $literal: payment }]] },
            payment_status: 'completed',
            subscription_start_date: { $ifNull: ['$subscription_start_date', paid_at] },
            subscription_end_date: { $add: [from, MONTH_MS] },
            // Renewing an expired listing resumes it; an active one stays paused.
            paused_at: {
              $cond: [{ $gt: ['$subscription_end_date', paid_at] }, '$paused_at', null],
            },
            ...(Object.fromEntries(review) as Document),
          },
        },
      ],
    );
  }

  /** Puts an ad back whose refund failed, or whose dispute was won: into its time, if that is still free. */
  async function rebook({ _id }: BookingRow, payment: string): Promise<void> {
    const at = now();
    const ad = await advertisementBookings(db).findOne({ _id, payment_status: 'refunded' });
    if (!ad) return;
    const { scheduled_start_at: start, scheduled_end_at: end, cancelled_at } = ad;
    const isOver = cancelled_at !== null || end <= at;
    const slot = { ad: _id, start, end, payment };
    const hasTime = isOver || (await slots.reserve(ad.placement, slot, at));
    if (!isOver && hasTime) await slots.confirm(_id);
    await advertisementBookings(db).updateOne(
      { _id, payment_status: 'refunded' },
      { $set: { payment_status: 'completed', ...(hasTime ? {} : { cancelled_at: at }) } },
    );
  }

  /** Restores what was revoked, before it is provided as usual. */
  async function restore(payment: AdPaymentRow, ad: PaidAd): Promise<void> {
    if (isTimed(ad)) await rebook(ad, payment._id);
    else await lengthen(db, ad, payment._id);
  }

  return {
    async fulfil(payment) {
      const paid_at = payment.paid_at ?? now();
      await adPayments(db).updateOne({ _id: payment._id, paid_at: null }, { $set: { paid_at } });
      const { advertisement_id } = payment;
      const before = await findAd(db, advertisement_id);
      if (!before) throw new Error(`advertisement ${advertisement_id} does not exist`);
      if (payment.reports) await restore(payment, before);
      if (isTimed(before)) await book(before, paid_at);
      else await prolong(before, payment._id, paid_at);
      const ad = await findAd(db, advertisement_id);
      const advertiser = await advertisers(db).findOne({ _id: payment.advertiser_id });
      if (!ad || !advertiser) return;
      const { company_name, time_zone } = advertiser;
      const state = providerStateOf(payment);
      if (state === 'refund_failed' || state === 'dispute_won')
        await emails.send(
          `${state} ${payment._id}`,
          advertiser,
          paymentStandsEmail(payment, ad, state),
        );
      const receipt = receiptEmail({ ...payment, paid_at }, ad, company_name, time_zone);
      await emails.send(`receipt ${payment._id}`, advertiser, receipt);
      if (!isTimed(ad))
        await emails.send(`listed ${payment._id}`, advertiser, listedEmail(ad, time_zone));
      else if (!ad.cancelled_at && ad.payment_status === 'completed')
        await emails.send(`scheduled ${ad._id}`, advertiser, scheduledEmail(ad, time_zone));
    },

    async takeBack(payment) {
      const ad = await findAd(db, payment.advertisement_id);
      if (!ad) return;
      if (isTimed(ad)) {
        const { _id } = ad;
        await advertisementBookings(db).updateOne(
          { _id },
          { $set: { payment_status: 'refunded' } },
        );
        await slots.release(_id);
      } else await shorten(db, ad, payment._id);
      const advertiser = await advertisers(db).findOne({ _id: payment.advertiser_id });
      const isDispute = providerStateOf(payment) === 'dispute_lost';
      await emails.send(
        `${isDispute ? 'dispute' : 'refund'} ${payment._id}`,
        advertiser,
        isDispute ? disputeLostEmail(payment, ad) : refundEmail(payment, ad),
      );
    },
  };
}

async function shorten(db: Db, { _id }: ListingRow, payment: string): Promise<void> {
  const back = { $concatArrays: ['$refunded_payments', [{ $literal: payment }]] };
  const wasGiven = { $in: [{ $literal: payment }, '$paid'] };
  const nothingLeft = { $eq: [{ $size: { $setDifference: ['$paid', back] } }, 0] };
  await businessListings(db).updateOne({ _id, refunded_payments: { $ne: payment } }, [
    {
      $set: {
        refunded_payments: back,
        pending_refunds: { $setDifference: [{ $ifNull: ['$pending_refunds', []] }, back] },
        payment_status: { $cond: [nothingLeft, 'refunded', '$payment_status'] },
        subscription_end_date: {
          $cond: [
            wasGiven,
            { $subtract: ['$subscription_end_date', MONTH_MS] },
            '$subscription_end_date',
          ],
        },
      },
    },
  ]);
}

/** Gives a listing a month back that `shorten` took. */
async function lengthen(db: Db, { _id }: ListingRow, payment: string): Promise<void> {
  const wasGiven = { $in: [{ $literal: payment }, '$paid'] };
  await businessListings(db).updateOne({ _id, refunded_payments: payment }, [
    {
      $set: {
        refunded_payments: { $setDifference: ['$refunded_payments', [{ $literal: payment }]] },
        payment_status: { $cond: [wasGiven, 'completed', '$payment_status'] },
        subscription_end_date: {
          $cond: [
            wasGiven,
            { $add: ['$subscription_end_date', MONTH_MS] },
            '$subscription_end_date',
          ],
        },
      },
    },
  ]);
}
