import { ADVERTISER_REFUSALS, checkAdPayment, payForAd } from '#shared/advertisers/contract.ts';
import { PAYMENT_REFUSALS } from '#shared/payments/contract.ts';
import { CallError, type caller } from '../call.ts';

export type AdPaymentState =
  /** It can be paid. */
  | { is: 'open'; problem: string | null; isTimeGone: boolean }
  /** The wallet's sheet is open, or its token on the way. */
  | { is: 'paying' }
  /** Sent, and the outcome is not known here yet. */
  | { is: 'checking'; problem: string | null }
  | { is: 'paid' };

export interface AdPaymentSettings {
  call: ReturnType<typeof caller>;
  ad: { advertiser_id: string; advertisement_id: number | string; period: number };
  /** Whether a token was sent whose outcome this device does not know. */
  isSent: boolean;
  keepSent: (isSent: boolean) => void;
  onPaid: () => void;
  /** Waits, or until there is a network again. */
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const UNCHARGED = 'Nothing was charged. You can try again.';
const PAUSES_MS = [1_500, 2_000, 3_000, 5_000, 10_000];
const WORDS: Record<string, string | undefined> = {
  [PAYMENT_REFUSALS.declined]:
    'The card was declined. Nothing was charged: you can try another card.',
  [PAYMENT_REFUSALS.notPaid]: `${payForAd.failure}. ${UNCHARGED}`,
  [PAYMENT_REFUSALS.refunded]: 'It came too late for the booked time and was paid back.',
};
const TIME_GONE: ReadonlySet<string> = new Set(Object.values(ADVERTISER_REFUSALS));

/** One payment for an ad, from the click to its outcome. Whoever paid is never asked to pay again. */
export class AdPayment {
  private state: AdPaymentState;
  private readonly settings: AdPaymentSettings;
  private readonly listeners = new Set<() => void>();
  private running: AbortController | null = null;

  constructor(settings: AdPaymentSettings) {
    this.settings = settings;
    this.state = settings.isSent
      ? { is: 'checking', problem: null }
      : { is: 'open', problem: null, isTimeGone: false };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getState = (): AdPaymentState => this.state;

  /** Takes up what was left open, and goes on until `stop`. */
  readonly resume = (): void => {
    if (this.state.is === 'checking' && !this.running)
      void this.check(this.begin(), { isNew: false });
  };

  readonly stop = (): void => {
    this.running?.abort();
    this.running = null;
  };

  /**
   * Pays once, however often it is called.
   * @param requestToken opens the wallet's sheet; null when the person cancelled
   */
  readonly pay = async (requestToken: () => Promise<string | null>): Promise<void> => {
    if (this.state.is !== 'open') return;
    this.set({ is: 'paying' });
    let payment_token: string | null;
    try {
      payment_token = await requestToken();
    } catch (error) {
      console.error('The wallet failed', error);
      return this.open(`Payment failed. ${UNCHARGED}`);
    }
    if (payment_token === null) return this.open(null);
    const { call, ad, keepSent } = this.settings;
    keepSent(true);
    const signal = this.begin();
    try {
      await call(payForAd, { body: { ...ad, payment_token } });
      this.paid();
    } catch (error) {
      if (!(error instanceof CallError) || error.status === 0 || error.status >= 500)
        return this.check(signal, { isNew: true });
      const { code, message } = error;
      const reason = WORDS[code] ?? message;
      if (WORDS[code] || TIME_GONE.has(code))
        return this.open(`Payment failed: ${reason}`, TIME_GONE.has(code));
      // Refused before it came to the card, as far as this device can tell: the server knows.
      await this.check(signal, { isNew: true, unpaid: reason });
    }
  };

  /**
   * Asks until the outcome is known. What was not paid by then is closed by asking.
   * @param isNew it was pressed just now
   * @param unpaid why it cannot have been paid, where that was said
   */
  private async check(
    signal: AbortSignal,
    { isNew, unpaid = WORDS[PAYMENT_REFUSALS.notPaid] }: { isNew: boolean; unpaid?: string },
  ): Promise<void> {
    const { call, ad, wait } = this.settings;
    let problem: string | null = null;
    for (let turn = 0; !signal.aborted; turn++) {
      this.set({ is: 'checking', problem });
      try {
        const { payment_status } = await call(checkAdPayment, { body: ad, signal });
        if (payment_status === 'completed') return this.paid();
        if (payment_status === 'failed') return this.open(`Payment failed: ${unpaid}`);
        if (payment_status === 'refunded')
          return this.open(`Payment failed: ${WORDS[PAYMENT_REFUSALS.refunded]}`, true);
      } catch (error) {
        if (signal.aborted) return;
        // Not this browser's any more, or gone unpaid.
        if (error instanceof CallError && error.status === 404)
          return this.open(isNew ? `Payment failed: ${unpaid}` : null);
        problem = 'Payment completed but failed to process';
      }
      await wait(PAUSES_MS[Math.min(turn, PAUSES_MS.length - 1)] ?? 0, signal);
    }
  }

  private begin(): AbortSignal {
    this.running = new AbortController();
    return this.running.signal;
  }

  private paid(): void {
    this.running = null;
    this.settings.keepSent(false);
    this.set({ is: 'paid' });
    this.settings.onPaid();
  }

  private open(problem: string | null, isTimeGone = false): void {
    this.running = null;
    this.settings.keepSent(false);
    this.set({ is: 'open', problem, isTimeGone });
  }

  private set(state: AdPaymentState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}
