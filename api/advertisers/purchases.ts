import { paymentTokens } from '../payments/collections.ts';
import { ADVERTISER_REFUSALS, NOT_IN_FUTURE } from '#shared/advertisers/contract.ts';
import type { SoldPlacement } from '#shared/advertisers/contract.ts';
import type { ReviewMode } from '#shared/advertisers/reviews.ts';
import type { PaymentToken } from '#shared/payments/contract.ts';
import { forEachIsolated } from '../for-each-isolated.ts';
import { type ListingRow, advertisementBookings, businessListings } from '../ads/collections.ts';
import { isDuplicate } from '../database.ts';
import type { PaymentGateway } from '../payments/gateway.ts';
import { paymentMachine, type PaymentMachine } from '../payments/payment-state-machine.ts';
import { waitForResult } from '../payments/payment-result.ts';
import { HttpError } from '../http/http-error.ts';
import type { Services } from '../services.ts';
import { isTimed, periodsOf, type PaidAd } from './ads.ts';
import { fulfilment } from './fulfilment.ts';
import type { AdvertiserEmails } from './emails.ts';
import { type AdPaymentRow, adPayments } from './collections.ts';
import type { Slots } from './slots.ts';

/** A payment that nobody goes on with is given up after so long, and its time is free. */
export const RESERVATION_MS = 15 * 60_000;

export interface Payer {
  ip_address: string;
  user_agent: string;
}

/** Payments for ads: each time and each month is charged once, and a time that is being paid is nobody else's. */
export interface Purchases {
  /** @throws HttpError 409 when the time is somebody else's by now, or has begun; nothing is charged then */
  pay(ad: PaidAd, period: number, token: PaymentToken, payer: Payer): Promise<AdPaymentRow>;
  /** How the last try stands, settled; null when there was none. Charges nothing. */
  check(ad: PaidAd, period: number): Promise<AdPaymentRow | null>;
  /** Gives back what was paid for a timed ad that was cancelled, or what is pending_refunds of a listing. */
  payBack(ad: PaidAd): Promise<void>;
  handleEvent: PaymentMachine<AdPaymentRow>['handleEvent'];
  /** Finishes what crashes and lost answers left open. */
  sweep(): Promise<void>;
}

const UNPAID = { payment_status: { $in: ['pending' as const, 'failed' as const] } };

const wasCancelled = () => new HttpError(409, 'This ad was canceled');
const wasTakenDown = () => new HttpError(409, 'This ad was taken down');

/** A time is somebody else's: 409 `slot_taken`, with the next free one where it is known. */
export const slotTaken = (nextFree: Date | null = null): HttpError =>
  new HttpError(409, 'This time is taken. Please choose another one.', {
    code: ADVERTISER_REFUSALS.taken,
    ...(nextFree ? { fields: { scheduled_start_at: nextFree.toISOString() } } : {}),
  });

/** Payments for ads, through this gateway. @param parts.now for tests */
export function adPurchases(
  services: Pick<Services, 'db' | 'log'>,
  gateway: PaymentGateway,
  {
    slots,
    emails,
    mode = 'after',
    now = () => new Date(),
  }: {
    slots: Slots;
    emails: AdvertiserEmails;
    mode?: ReviewMode;
    now?: () => Date;
  },
): Purchases {
  const machine = paymentMachine<AdPaymentRow>({
    kind: 'advertisement',
    description: 'Advertisement',
    rows: adPayments(services.db),
    tokens: paymentTokens(services.db),
    gateway,
    log: services.log,
    now,
    ...fulfilment(services, { slots, emails, mode, now }),
  });

  const lastTry = async (ad: PaidAd, period: number): Promise<AdPaymentRow | null> =>
    adPayments(services.db).findOne(
      { advertisement_id: ad._id, period },
      { sort: { attempt: -1 } },
    );

  /** The one try that has not failed; a new one only when the last was closed at the gateway for good. */
  async function tryFor(ad: PaidAd, period: number, payer: Payer): Promise<AdPaymentRow> {
    const amount_cents = isTimed(ad) ? ad.cost_cents : ad.monthly_cost_cents;
    const last = await lastTry(ad, period);
    if (last && last.payment_status !== 'failed') {
      const isSame = last.amount_cents === amount_cents && last.advertiser_id === ad.advertiser_id;
      if (last.payment_status !== 'pending' || isSame) return last;
      // The ad was made longer, or shorter, since, or its advertiser's email was corrected.
      const closed = await machine.settle(last);
      return closed.payment_status === 'failed' ? tryFor(ad, period, payer) : closed;
    }
    const attempt = (last?.attempt ?? 0) + 1;
    const at = now();
    const row: AdPaymentRow = {
      _id: `${ad._id}.${period}.${attempt}`,
      advertiser_id: ad.advertiser_id,
      advertisement_id: ad._id,
      period,
      attempt,
      // We send the receipt.
      email: null,
      amount_cents,
      currency: 'USD',
      payment_provider: gateway.name,
      payment_id: null,
      payment_status: 'pending',
      failure: null,
      submitted_at: null,
      busy_until: null,
      is_settled: false,
      paid_at: null,
      ...payer,
      created_at: at,
      updated_at: at,
    };
    try {
      await adPayments(services.db).insertOne(row);
      return row;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return tryFor(ad, period, payer);
    }
  }

  /**
   * Nothing of the ad is changed from here on, and its time is kept, until the payment's outcome is known.
   * @returns why it cannot be paid any more
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
      return new HttpError(409, 'This ad has changed since you opened it. Please check it again.');
    if (ad.scheduled_start_at <= at)
      return new HttpError(409, NOT_IN_FUTURE, { code: ADVERTISER_REFUSALS.late });
    const { scheduled_start_at: start, scheduled_end_at: end } = ad;
    const slot = { ad: _id, start, end, payment: payment._id };
    return (await slots.hold(ad.placement as SoldPlacement, slot, at)) ? null : slotTaken();
  }

  /** The time of a payment that failed is free at once: who tries again takes it again (decision 160). */
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

  /** Why the next month of a listing cannot be paid. */
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
      // First: a token that is none holds no time.
      await machine.claim(payment, token);
      const gone = isTimed(ad) ? await reserveSlot(ad._id, payment) : unpayable(ad);
      let row: AdPaymentRow;
      try {
        row = gone
          ? await machine.settle(payment)
          : await waitForResult(
              adPayments(services.db),
              machine,
              await machine.pay(payment, token),
            );
      } catch (error) {
        // Something is wrong with us or the gateway: nothing was asked of it, unless somebody else does so right now.
        await slots.expire(_id, new Date(now().getTime() + RESERVATION_MS));
        throw error;
      }
      if (row.payment_status === 'failed') await noteFailure(row);
      if (gone && row.payment_status !== 'completed') throw gone;
      const paid = isTimed(ad)
        ? await advertisementBookings(services.db).findOne({ _id: ad._id })
        : null;
      if (row.payment_status !== 'completed' || !paid?.cancelled_at) return row;
      // It was paid when it was too late to run.
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

    async sweep() {
      await machine.sweep();
      const left = { paying: { $type: 'string' as const }, ...UNPAID };
      for await (const { paying } of advertisementBookings(services.db).find(left)) {
        const row = await adPayments(services.db).findOne({ _id: paying ?? '' });
        const isOld = row && row.updated_at.getTime() < now().getTime() - RESERVATION_MS;
        // Killed between the time and the card: nobody pays it any more.
        const settled = row && isOld ? await machine.settle(row) : row;
        if (settled?.payment_status === 'failed') await noteFailure(settled);
      }
      const cancelled = { payment_status: 'completed' as const, cancelled_at: { $ne: null } };
      await forEachIsolated(advertisementBookings(services.db).find(cancelled), payBack);
      const pending_refunds = { 'pending_refunds.0': { $exists: true } };
      await forEachIsolated(businessListings(services.db).find(pending_refunds), payBack);
    },
  };
}
