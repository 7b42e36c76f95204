import { validateCode } from '#shared/access-gate/contract.ts';
import {
  checkDonation,
  createDonation,
  DONATION_CENTS,
  PAYMENT_REFUSALS,
  processDonation,
} from '#shared/payments/contract.ts';
import { isNotFound } from '../http/api-client.ts';
import {
  AGAIN,
  DECLINED,
  isRefusal,
  Payment,
  UNCHARGED,
  type PaymentSettings,
  type RequestToken,
} from './payment.ts';

/** What went wrong, and what that means for the person. */
export interface Problem {
  title: string;
  words: string;
}

export type DonationState =
  /** A payment can be made. */
  | { is: 'open'; problem: Problem | null }
  /** The wallet's sheet is open, or its token on the way. */
  | { is: 'paying' }
  /** Sent, and the outcome is not known here yet. */
  | { is: 'checking'; problem: Problem | null }
  /** Paid: the code is being used. */
  | { is: 'opening' }
  | { is: 'granted'; code: string; expires_at: string };

export interface DonationSettings extends PaymentSettings {
  /** The donation that this device sent and whose code it has not used yet. */
  kept: () => string | null;
  keep: (id: string | null) => void;
}

const WORDS: Record<string, string | undefined> = {
  [PAYMENT_REFUSALS.declined]: DECLINED,
  [PAYMENT_REFUSALS.notPaid]: `The payment didn’t go through. ${UNCHARGED}`,
  [PAYMENT_REFUSALS.refunded]: 'This payment was refunded, and the access it gave has ended.',
};
const failed = (words = UNCHARGED): Problem => ({ title: processDonation.failure, words });
const NO_CODE: Problem = {
  title: 'Payment completed but access code not generated',
  words: 'Your payment is safe. We’ll keep trying, so please don’t pay again.',
};

/** The server's words where it has any of its own. */
const wordsOf = (error: unknown, failure: string) =>
  isRefusal(error) && error.message !== failure ? error.message : UNCHARGED;

/** One donation from the click to the open gate. */
export class Donation extends Payment<DonationState, Problem> {
  private readonly settings: DonationSettings;

  constructor(settings: DonationSettings) {
    super({ is: settings.kept() ? 'checking' : 'open', problem: null }, settings);
    this.settings = settings;
  }

  protected override onStop(): void {
    if (this.settings.kept() && this.state.is !== 'granted')
      this.state = { is: 'checking', problem: null };
  }

  /** Pays once, however often it is called. */
  readonly pay = async (requestToken: RequestToken): Promise<void> => {
    if (this.state.is !== 'open' || this.takeUp()) return;
    this.set({ is: 'paying' });
    const token = await this.tokenOf(requestToken, { title: 'Payment failed', words: UNCHARGED });
    // Where there is another one, this token is not handed in, and charges nothing.
    if (token === null || this.takeUp()) return;
    const { call } = this.settings;
    let id: string;
    try {
      const body = { amount_cents: DONATION_CENTS, currency: 'USD' as const };
      id = (await call(createDonation, { body })).donation.id;
    } catch (error) {
      const title = createDonation.failure;
      return this.open({ title, words: wordsOf(error, title) });
    }
    this.settings.keep(id);
    await this.hand(id, token);
  };

  /** Goes on with what another tab of this browser sent meanwhile. @returns whether there is such */
  private takeUp(): boolean {
    if (!this.settings.kept()) return false;
    this.set({ is: 'checking', problem: null });
    this.resume();
    return true;
  }

  private async hand(donation_id: string, payment_token: string): Promise<void> {
    const signal = this.begin();
    try {
      const body = { donation_id, payment_token };
      const { access_code } = await this.settings.call(processDonation, { body });
      if (access_code) return await this.use(access_code, signal);
      this.set({ is: 'checking', problem: NO_CODE });
    } catch (error) {
      const words = isRefusal(error) ? WORDS[error.code] : undefined;
      if (words) return this.over(failed(words));
      this.set({ is: 'checking', problem: null });
      const said = isRefusal(error) ? wordsOf(error, processDonation.failure) : undefined;
      return await this.check(signal, said);
    }
    await this.check(signal);
  }

  /**
   * Asks until the outcome is known. What was not paid by then is closed by asking, so that nothing that is still on
   * its way can pay it later.
   */
  protected check(signal: AbortSignal, unpaid = WORDS[PAYMENT_REFUSALS.notPaid]): Promise<void> {
    const { call, kept } = this.settings;
    const ask = async () => {
      const donation_id = kept();
      if (!donation_id) return this.open(null);
      const answer = await call(checkDonation, { body: { donation_id }, signal });
      const { access_code, payment_status } = answer;
      if (access_code) return this.use(access_code, signal);
      if (payment_status === 'refunded') return this.over(failed(WORDS[PAYMENT_REFUSALS.refunded]));
      if (payment_status === 'failed') return this.over(failed(unpaid));
      if (payment_status === 'completed') this.set({ is: 'checking', problem: NO_CODE });
      return AGAIN;
    };
    return this.until(signal, ask, (error) => (isNotFound(error) ? this.over(null) : AGAIN));
  }

  /** Uses the code that was paid for, as often as it takes. */
  private use(code: string, signal: AbortSignal): Promise<void> {
    const { call, keep } = this.settings;
    this.set({ is: 'opening' });
    const ask = async () => {
      const { expires_at } = await call(validateCode, { body: { code }, signal });
      keep(null);
      this.set({ is: 'granted', code, expires_at });
    };
    return this.until(signal, ask, (error) => {
      if (!isRefusal(error) || error.status === 429) return AGAIN;
      return this.over({
        title: error.message,
        words: 'This code has already been used or has expired.',
      });
    });
  }

  /** The donation came to its end without access. */
  private over(problem: Problem | null): void {
    this.settings.keep(null);
    this.open(problem);
  }

  protected open(problem: Problem | null): void {
    this.rest({ is: 'open', problem });
  }
}
