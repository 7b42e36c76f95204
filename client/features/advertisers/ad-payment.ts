import { ADVERTISER_REFUSALS, checkAdPayment, payForAd } from '#shared/advertisers/contract.ts';
import { PAYMENT_REFUSALS } from '#shared/payments/contract.ts';
import { isNotFound } from '../../platform/http/api-client.ts';
import {
  AGAIN,
  DECLINED,
  isRefusal,
  Payment,
  UNCHARGED,
  type PaymentSettings,
  type RequestToken,
} from '../payments/payment.ts';

export type AdPaymentState =
  /** It can be paid. */
  | { is: 'open'; problem: string | null; isTimeTaken: boolean }
  /** The wallet's sheet is open, or its token is being sent. */
  | { is: 'paying' }
  /** Sent, with an unknown outcome. */
  | { is: 'checking'; problem: string | null }
  | { is: 'paid' };

export interface AdPaymentSettings extends PaymentSettings {
  ad: { advertiser_id: string; advertisement_id: number | string; period: number };
  /** Whether a token was sent and its outcome is unknown. */
  isSent: boolean;
  storeSent: (isSent: boolean) => void;
  onPaid: () => void;
}

const MESSAGES: Record<string, string | undefined> = {
  [PAYMENT_REFUSALS.declined]: DECLINED,
  [PAYMENT_REFUSALS.notPaid]: `${payForAd.failure}. ${UNCHARGED}`,
  [PAYMENT_REFUSALS.refunded]:
    'Your payment arrived too late for the booked time, so we refunded it.',
};
const TIME_TAKEN: ReadonlySet<string> = new Set(Object.values(ADVERTISER_REFUSALS));

/** One payment for an ad, from the click to its outcome. */
export class AdPayment extends Payment<AdPaymentState, string> {
  readonly #settings: AdPaymentSettings;

  constructor(settings: AdPaymentSettings) {
    super(
      settings.isSent
        ? { is: 'checking', problem: null }
        : { is: 'open', problem: null, isTimeTaken: false },
      settings,
    );
    this.#settings = settings;
  }

  /** Pays; ignores further calls until the outcome is known. */
  readonly pay = async (requestToken: RequestToken): Promise<void> => {
    if (this.state.is !== 'open') return;
    this.set({ is: 'paying' });
    const payment_token = await this.tokenOf(requestToken, `Payment failed. ${UNCHARGED}`);
    if (payment_token === null) return;
    const { call, ad, storeSent } = this.#settings;
    storeSent(true);
    const signal = this.begin();
    try {
      await call(payForAd, { body: { ...ad, payment_token } });
      this.#paid();
    } catch (error) {
      if (!isRefusal(error)) return this.check(signal, { isNew: true });
      const { code, message } = error;
      const reason = MESSAGES[code] ?? message;
      if (MESSAGES[code] || TIME_TAKEN.has(code))
        return this.open(`Payment failed: ${reason}`, TIME_TAKEN.has(code));
      // Probably rejected before the card was charged; only the server knows.
      await this.check(signal, { isNew: true, unpaid: reason });
    }
  };

  /**
   * Asks until the outcome is known. Asking closes an unpaid payment.
   * @param isNew whether the user has just paid
   * @param unpaid why it wasn't charged, if known
   */
  protected check(
    signal: AbortSignal,
    { isNew = false, unpaid = MESSAGES[PAYMENT_REFUSALS.notPaid] } = {},
  ): Promise<void> {
    const { call, ad } = this.#settings;
    this.set({ is: 'checking', problem: null });
    const ask = async () => {
      const { payment_status } = await call(checkAdPayment, { body: ad, signal });
      if (payment_status === 'completed') return this.#paid();
      if (payment_status === 'failed') return this.open(`Payment failed: ${unpaid}`);
      if (payment_status === 'refunded')
        return this.open(`Payment failed: ${MESSAGES[PAYMENT_REFUSALS.refunded]}`, true);
      return AGAIN;
    };
    return this.until(signal, ask, (error) => {
      if (isNotFound(error)) return this.open(isNew ? `Payment failed: ${unpaid}` : null);
      this.set({ is: 'checking', problem: 'Payment completed but failed to process' });
      return AGAIN;
    });
  }

  #paid(): void {
    this.#settings.storeSent(false);
    this.finish({ is: 'paid' });
    this.#settings.onPaid();
  }

  protected open(problem: string | null, isTimeTaken = false): void {
    this.#settings.storeSent(false);
    this.finish({ is: 'open', problem, isTimeTaken });
  }
}
