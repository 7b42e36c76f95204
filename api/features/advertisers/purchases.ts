import { ADVERTISER_REFUSALS, NOT_IN_FUTURE } from '#shared/advertisers/contract.ts';
import type { ReviewMode } from '#shared/advertisers/reviews.ts';
import { HttpError } from '#shared/http/http-error.ts';
import type { PaymentToken } from '#shared/payments/contract.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { insertIfAbsent } from '../../platform/database.ts';
import { forEachIsolated, runIsolated } from '../../platform/for-each-isolated.ts';
import type { Services } from '../../platform/services.ts';
import {
  type BookingRow,
  type ListingRow,
  advertisementBookings,
  businessListings,
} from '../ads/collections.ts';
import { paymentTokens, unsubmitted } from '../payments/collections.ts';
import type { PaymentGateway } from '../payments/gateway.ts';
import { waitForResult } from '../payments/payment-result.ts';
import { createPaymentMachine, type PaymentMachine } from '../payments/payment-state-machine.ts';
import { isTimed, periodsOf, type PaidAd } from './ads.ts';
import { type AdPaymentRow, adPayments } from './collections.ts';
import type { AdvertiserEmails } from './emails.ts';
import { createFulfilment } from './fulfilment.ts';
import type { Slots } from './slots.ts';

/** An abandoned payment is given up after this time, and its slot is free. */
export const RESERVATION_MS = 15 * MINUTE_MS;

export interface Payer {
  ip_address: string;
  user_agent: string;
}

/** Payments for ads: each slot and month is charged once, and a slot is reserved while it is paid for. */
export interface Purchases {
  /** @throws HttpError 409 when the slot is taken or has begun; then nothing is charged */
  pay(ad: PaidAd, period: number, token: PaymentToken, payer: Payer): Promise<AdPaymentRow>;
  /** The last try, settled; null without one. Charges nothing. */
  check(ad: PaidAd, period: number): Promise<AdPaymentRow | null>;
  /** Refunds a canceled timed ad, or the pending refunds of a listing. */
  payBack(ad: PaidAd): Promise<void>;
  handleEvent: PaymentMachine<AdPaymentRow>['handleEvent'];
  /** Finishes what crashes and lost responses left open. */
  runJob(): Promise<void>;
}

const UNPAID = { payment_status: { $in: ['pending' as const, 'failed' as const] } };

const wasCancelled = () => new HttpError(409, 'This ad was canceled');
const wasTakenDown = () => new HttpError(409, 'This ad was taken down');

/** 409 `slot_taken`, with the next free time if it is known. */
export const slotTaken = (nextFree: Date | null = null): HttpError =>
  new HttpError(409, 'This time is taken. Choose another one.', {
    code: ADVERTISER_REFUSALS.taken,
    ...(nextFree ? { fields: { scheduled_start_at: nextFree.toISOString() } } : {}),
  });

export function createAdPurchases(
  services: Pick<Services, 'db' | 'log'>,
  gateway: PaymentGateway,
  {
    slots,
    emails,
    mode = 'after',
    tax = null,
    now = () => new Date(),
  }: {
    slots: Slots;
    emails: AdvertiserEmails;
    mode?: ReviewMode;
    /** The tax that prices include. */
    tax?: AdPaymentRow['tax'] | null;
    now?: () => Date;
  },
): Purchases {
  const machine = createPaymentMachine<AdPaymentRow>({
    kind: 'advertisement',
    description: 'Advertisement',
    rows: adPayments(services.db),
    tokens: paymentTokens(services.db),
    gateway,
    log: services.log,
    now,
    ...createFulfilment(services, { slots, emails, mode, now }),
  });

  const lastTry = async (ad: PaidAd, period: number): Promise<AdPaymentRow | null> =>
    adPayments(services.db).findOne(
      { advertisement_id: ad._id, period },
      { sort: { attempt: -1 } },
    );

  /** The try that has not failed. Creates another one only when the last was closed at the gateway. */
  async function tryFor(ad: PaidAd, period: number, payer: Payer): Promise<AdPaymentRow> {
    const amount_cents = isTimed(ad) ? ad.cost_cents : ad.monthly_cost_cents;
    const last = await lastTry(ad, period);
    if (last && last.payment_status !== 'failed') {
      const isSame = last.amount_cents === amount_cents && last.advertiser_id === ad.advertiser_id;
      if (last.payment_status !== 'pending' || isSame) return last;
      // The price or the advertiser has changed since.
      const closed = await machine.settle(last);
      return closed.payment_status === 'failed' ? tryFor(ad, period, payer) : closed;
    }
    const attempt = (last?.attempt ?? 0) + 1;
    const row: AdPaymentRow = {
      _id: `${ad._id}.${period}.${attempt}`,
      advertiser_id: ad.advertiser_id,
      advertisement_id: ad._id,
      period,
      attempt,
      // We send the receipt ourselves.
      email: null,
      amount_cents,
      ...(tax && { tax }),
      paid_at: null,
      ...payer,
      ...unsubmitted(gateway.name, now()),
    };
    return (await insertIfAbsent(adPayments(services.db), row)) ? row : tryFor(ad, period, payer);
  }

  /**
   * Locks the ad and reserves its slot until the payment's result is known.
   * @returns why it cannot be paid
   */
  async function reserveSlot(_id: number, payment: AdPaymentRow): Promise<HttpError | null> {
    const at = now();
    const ad = await advertisementBookings(services.db).findOneAndUpdate(
      { _id, cancelled_at: null, ...UNPAID },
      { $set: { paying: payment._id } },
      { returnDocument: 'after' },
    );
    if (!ad) return wasCancelled();
    if (ad.cost_cents !== payment.amount_cents)
      return new HttpError(409, 'This ad has changed since you opened it. Check it again.');
    if (ad.scheduled_start_at <= at)
      return new HttpError(409, NOT_IN_FUTURE, { code: ADVERTISER_REFUSALS.late });
    const { scheduled_start_at: start, scheduled_end_at: end } = ad;
    const slot = { ad: _id, start, end, payment: payment._id };
    return (await slots.reserve(ad.placement, slot, at)) ? null : slotTaken();
  }

  /** Frees the slot of a failed payment at once; another try reserves it again (decision 160). */
  async function noteFailure({ _id, advertisement_id }: AdPaymentRow): Promise<void> {
    const failed = { payment_status: 'failed' as const };
    if (typeof advertisement_id === 'number') {
      await slots.expire(_id, now());
      await advertisementBookings(services.db).updateOne(
        { _id: advertisement_id, paying: _id, ...UNPAID },
        { $set: { ...failed, paying: null } },
      );
    } else
      await businessListings(services.db).updateOne(
        { _id: advertisement_id, payment_status: 'pending' },
        { $set: failed },
      );
  }

  async function payBack(ad: PaidAd): Promise<void> {
    const which = isTimed(ad)
      ? { advertisement_id: ad._id }
      : { _id: { $in: ad.pending_refunds ?? [] } };
    const payments = await adPayments(services.db)
      .find({ ...which, payment_status: 'completed' })
      .toArray();
    for (const payment of payments) await machine.refund(payment);
  }

  /** Why the next month of a listing cannot be paid; null if it can. */
  function unpayable(ad: ListingRow): HttpError | null {
    if (ad.payment_status === 'refunded') return wasCancelled();
    if (ad.taken_down_at) return wasTakenDown();
    return ad.pending_approval
      ? new HttpError(
          409,
          'This listing is waiting for review. You can renew it once it’s approved.',
        )
      : null;
  }

  return {
    async pay(ad, period, token, payer) {
      if (period > periodsOf(ad)) throw new HttpError(409, 'The previous month isn’t paid yet');
      const payment = await tryFor(ad, period, payer);
      const { _id, payment_status } = payment;
      if (payment_status !== 'pending') return machine.settle(payment);
      // First, so that an invalid token does not reserve a slot.
      await machine.claim(payment, token);
      const refusal = isTimed(ad) ? await reserveSlot(ad._id, payment) : unpayable(ad);
      let row: AdPaymentRow;
      try {
        row = refusal
          ? await machine.settle(payment)
          : await waitForResult(
              adPayments(services.db),
              machine,
              await machine.pay(payment, token),
            );
      } catch (error) {
        // A failure of ours or the gateway's: the payment may still be open.
        await slots.expire(_id, new Date(now().getTime() + RESERVATION_MS));
        throw error;
      }
      if (row.payment_status === 'failed') await noteFailure(row);
      if (refusal && row.payment_status !== 'completed') throw refusal;
      const paid = isTimed(ad)
        ? await advertisementBookings(services.db).findOne({ _id: ad._id })
        : null;
      if (row.payment_status !== 'completed' || !paid?.cancelled_at) return row;
      // It was paid too late to run.
      return machine.refund(row);
    },

    async check(ad, period) {
      const last = await lastTry(ad, period);
      const row =
        last && (await waitForResult(adPayments(services.db), machine, await machine.settle(last)));
      if (row?.payment_status === 'failed') await noteFailure(row);
      return row;
    },

    payBack,
    handleEvent: machine.handleEvent,

    async runJob() {
      const left = { paying: { $type: 'string' as const }, ...UNPAID };
      const settleLeft = async ({ paying }: BookingRow) => {
        const row = await adPayments(services.db).findOne({ _id: paying ?? '' });
        const isOld = row && row.updated_at.getTime() < now().getTime() - RESERVATION_MS;
        // Interrupted between the reservation and the charge: it won't be paid anymore.
        const settled = row && isOld ? await machine.settle(row) : row;
        if (settled?.payment_status === 'failed') await noteFailure(settled);
      };
      const cancelled = { payment_status: 'completed' as const, cancelled_at: { $ne: null } };
      const pending_refunds = { 'pending_refunds.0': { $exists: true } };
      const steps = [
        () => machine.runJob(),
        () => forEachIsolated(advertisementBookings(services.db).find(left), settleLeft),
        () => forEachIsolated(advertisementBookings(services.db).find(cancelled), payBack),
        () => forEachIsolated(businessListings(services.db).find(pending_refunds), payBack),
      ];
      await runIsolated(steps);
    },
  };
}
