import { validateCode } from '#shared/access-gate/contract.ts';
import {
  checkDonation,
  createDonation,
  PAYMENT_REFUSALS,
  processDonation,
} from '#shared/payments/contract.ts';
import { DONATION_CENTS } from '#shared/payments/rules.ts';
import { isNotFound } from '../../platform/http/api-client.ts';
import { messageOf } from '../../platform/http/error-message.ts';
import {
  AGAIN,
  DECLINED,
  isRefusal,
  Payment,
  UNCHARGED,
  type PaymentSettings,
  type RequestToken,
} from './payment.ts';

/** What went wrong, and what it means for the donor. */
export interface Problem {
  title: string;
  words: string;
}

export type DonationState =
  /** A payment can be made. */
  | { is: 'open'; problem: Problem | null }
  /** The wallet's sheet is open, or its token is being sent. */
  | { is: 'paying' }
  /** Sent, with an unknown outcome. */
  | { is: 'checking'; problem: Problem | null }
  /** Paid: the code is being used. */
  | { is: 'opening' }
  | { is: 'granted'; code: string; expires_at: string };

export interface DonationSettings extends PaymentSettings {
  /** Returns the ID of the donation whose code this device hasn't used yet. */
  stored: () => string | null;
  store: (id: string | null) => void;
}

const MESSAGES: Record<string, string | undefined> = {
  [PAYMENT_REFUSALS.declined]: DECLINED,
  [PAYMENT_REFUSALS.notPaid]: `The payment didn’t go through. ${UNCHARGED}`,
  [PAYMENT_REFUSALS.refunded]: 'This payment was refunded, and the access it gave has ended.',
};
const failed = (words = UNCHARGED): Problem => ({ title: processDonation.failure, words });
const NO_CODE: Problem = {
  title: 'Payment completed but access code not generated',
  words: 'Your payment is safe. We’ll keep trying, so don’t pay again.',
};

/** Returns the server's reason, if any. */
const wordsOf = (error: unknown, failure: string) =>
  isRefusal(error) && messageOf(error) !== failure ? messageOf(error) : UNCHARGED;

/** One donation, from the click to granted access. */
export class Donation extends Payment<DonationState, Problem> {
  readonly #settings: DonationSettings;

  constructor(settings: DonationSettings) {
    super({ is: settings.stored() ? 'checking' : 'open', problem: null }, settings);
    this.#settings = settings;
  }

  protected override onStop(): void {
    if (this.#settings.stored() && this.state.is !== 'granted')
      this.state = { is: 'checking', problem: null };
  }

  /** Pays; ignores further calls until the outcome is known. */
  readonly pay = async (requestToken: RequestToken): Promise<void> => {
    if (this.state.is !== 'open' || this.#continueOther()) return;
    this.set({ is: 'paying' });
    const token = await this.tokenOf(requestToken, { title: 'Payment failed', words: UNCHARGED });
    // If another tab has sent a donation, this token isn't sent, so nothing is charged twice.
    if (token === null || this.#continueOther()) return;
    const { call } = this.#settings;
    let id: string;
    try {
      const body = { amount_cents: DONATION_CENTS, currency: 'USD' as const };
      id = (await call(createDonation, { body })).donation.id;
    } catch (error) {
      const title = createDonation.failure;
      return this.open({ title, words: wordsOf(error, title) });
    }
    this.#settings.store(id);
    await this.#sendToken(id, token);
  };

  /** Continues with a donation that another tab has sent. @returns whether there is one */
  #continueOther(): boolean {
    if (!this.#settings.stored()) return false;
    this.set({ is: 'checking', problem: null });
    this.resume();
    return true;
  }

  async #sendToken(donation_id: string, payment_token: string): Promise<void> {
    const signal = this.begin();
    try {
      const body = { donation_id, payment_token };
      const { access_code } = await this.#settings.call(processDonation, { body });
      if (access_code) return await this.#use(access_code, signal);
      this.set({ is: 'checking', problem: NO_CODE });
    } catch (error) {
      const words = isRefusal(error) ? MESSAGES[error.code] : undefined;
      if (words) return this.#over(failed(words));
      this.set({ is: 'checking', problem: null });
      const reason = isRefusal(error) ? wordsOf(error, processDonation.failure) : undefined;
      return await this.check(signal, reason);
    }
    await this.check(signal);
  }

  /**
   * Asks until the outcome is known. Asking closes an unpaid donation, so that a delayed request can't
   * pay it later.
   */
  protected check(signal: AbortSignal, unpaid = MESSAGES[PAYMENT_REFUSALS.notPaid]): Promise<void> {
    const { call, stored } = this.#settings;
    const ask = async () => {
      const donation_id = stored();
      if (!donation_id) return this.open(null);
      const answer = await call(checkDonation, { body: { donation_id }, signal });
      const { access_code, payment_status } = answer;
      if (access_code) return this.#use(access_code, signal);
      if (payment_status === 'refunded')
        return this.#over(failed(MESSAGES[PAYMENT_REFUSALS.refunded]));
      if (payment_status === 'failed') return this.#over(failed(unpaid));
      if (payment_status === 'completed') this.set({ is: 'checking', problem: NO_CODE });
      return AGAIN;
    };
    return this.until(signal, ask, (error) => (isNotFound(error) ? this.#over(null) : AGAIN));
  }

  /** Redeems the access code, with retries. */
  #use(code: string, signal: AbortSignal): Promise<void> {
    const { call, store } = this.#settings;
    this.set({ is: 'opening' });
    const ask = async () => {
      const { expires_at } = await call(validateCode, { body: { code }, signal });
      store(null);
      this.set({ is: 'granted', code, expires_at });
    };
    return this.until(signal, ask, (error) => {
      if (!isRefusal(error) || error.status === 429) return AGAIN;
      return this.#over({
        title: messageOf(error),
        words: 'This code has already been used or has expired.',
      });
    });
  }

  /** Ends the donation without access. */
  #over(problem: Problem | null): void {
    this.#settings.store(null);
    this.open(problem);
  }

  protected open(problem: Problem | null): void {
    this.finish({ is: 'open', problem });
  }
}
