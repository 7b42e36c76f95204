import { validateCode } from '#shared/access-gate/contract.ts';
import {
  checkDonation,
  createDonation,
  DONATION_CENTS,
  PAYMENT_REFUSALS,
  processDonation,
} from '#shared/payments/contract.ts';
import { CallError, type caller } from '../call.ts';

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

export interface DonationSettings {
  call: ReturnType<typeof caller>;
  /** The donation that this device sent and whose code it has not used yet. */
  kept: () => string | null;
  keep: (id: string | null) => void;
  /** Waits, or until there is a network again. */
  wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const UNCHARGED = 'Nothing was charged. You can try again.';
const PAUSES_MS = [1_500, 2_000, 3_000, 5_000, 10_000];

const WORDS: Record<string, string | undefined> = {
  [PAYMENT_REFUSALS.declined]:
    'The card was declined. Nothing was charged: you can try another card.',
  [PAYMENT_REFUSALS.notPaid]: `The payment did not go through. ${UNCHARGED}`,
  [PAYMENT_REFUSALS.refunded]: 'This payment was paid back, and its access has ended.',
};
const failed = (words = UNCHARGED): Problem => ({ title: processDonation.failure, words });
const NO_CODE: Problem = {
  title: 'Payment completed but access code not generated',
  words: 'Your payment is safe. We go on trying here: please do not pay again.',
};

const isRefusal = (error: unknown): error is CallError =>
  error instanceof CallError && error.status >= 400 && error.status < 500;
/** The server's words where it has any of its own. */
const wordsOf = (error: unknown, failure: string) =>
  isRefusal(error) && error.message !== failure ? error.message : UNCHARGED;

/** One donation from the click to the open gate, apart from any screen. Whoever paid is never asked to pay again. */
export class Donation {
  private state: DonationState = { is: 'open', problem: null };
  private readonly settings: DonationSettings;
  private readonly listeners = new Set<() => void>();
  private running: AbortController | null = null;

  constructor(settings: DonationSettings) {
    this.settings = settings;
    if (settings.kept()) this.state = { is: 'checking', problem: null };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getState = (): DonationState => this.state;

  /** Takes up what was left open, and goes on until `stop`. */
  readonly resume = (): void => {
    if (this.state.is !== 'checking' || this.running) return;
    this.running = new AbortController();
    const { signal } = this.running;
    void this.check(signal);
  };

  readonly stop = (): void => {
    this.running?.abort();
    this.running = null;
    if (this.settings.kept() && this.state.is !== 'granted')
      this.state = { is: 'checking', problem: null };
  };

  /**
   * Pays once, however often it is called.
   * @param requestToken opens the wallet's sheet; null when the person cancelled
   */
  readonly pay = async (requestToken: () => Promise<string | null>): Promise<void> => {
    if (this.state.is !== 'open' || this.takeUp()) return;
    this.set({ is: 'paying' });
    let token: string | null;
    try {
      token = await requestToken();
    } catch (error) {
      console.error('The wallet failed', error);
      return this.open({ title: 'Payment failed', words: UNCHARGED });
    }
    if (token === null) return this.open(null);
    // Its token is not handed in, and charges nothing.
    if (this.takeUp()) return;
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
    this.running = new AbortController();
    const { signal } = this.running;
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
  private async check(
    signal: AbortSignal,
    unpaid = WORDS[PAYMENT_REFUSALS.notPaid],
  ): Promise<void> {
    const { call, kept } = this.settings;
    for (let turn = 0; !signal.aborted; turn++) {
      const donation_id = kept();
      if (!donation_id) return this.open(null);
      try {
        const answer = await call(checkDonation, { body: { donation_id }, signal });
        if (answer.access_code) return await this.use(answer.access_code, signal);
        if (answer.payment_status === 'completed') this.set({ is: 'checking', problem: NO_CODE });
        else if (answer.payment_status === 'refunded')
          return this.over(failed(WORDS[PAYMENT_REFUSALS.refunded]));
        else if (answer.payment_status === 'failed') return this.over(failed(unpaid));
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof CallError && error.status === 404) return this.over(null);
      }
      await this.pause(turn, signal);
    }
  }

  /** Uses the code that was paid for, as often as it takes. */
  private async use(code: string, signal: AbortSignal): Promise<void> {
    this.set({ is: 'opening' });
    for (let turn = 0; !signal.aborted; turn++) {
      try {
        const { expires_at } = await this.settings.call(validateCode, { body: { code }, signal });
        this.settings.keep(null);
        return this.set({ is: 'granted', code, expires_at });
      } catch (error) {
        if (signal.aborted) return;
        if (isRefusal(error) && error.status !== 429)
          return this.over({ title: error.message, words: 'This code was used or has ended.' });
      }
      await this.pause(turn, signal);
    }
  }

  private pause(turn: number, signal: AbortSignal): Promise<void> {
    return this.settings.wait(PAUSES_MS[Math.min(turn, PAUSES_MS.length - 1)] ?? 0, signal);
  }

  /** The donation came to its end without access. */
  private over(problem: Problem | null): void {
    this.settings.keep(null);
    this.open(problem);
  }

  private open(problem: Problem | null): void {
    this.running = null;
    this.set({ is: 'open', problem });
  }

  private set(state: DonationState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }
}
