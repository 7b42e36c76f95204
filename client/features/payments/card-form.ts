import { loadScript } from '../../platform/load-script.ts';
import { PRODUCT } from '../../platform/product.ts';

/** If the connection stalls, Stripe's frame says neither that it is ready nor that it failed. */
const READY_WITHIN_MS = 20_000;

/** The release of the API that the server uses, too. */
const SCRIPT = 'https://js.stripe.com/endive/stripe.js';

/** The part of Stripe's script that we use. */
interface PaymentElement {
  mount(place: HTMLElement): void;
  destroy(): void;
  on(event: 'ready' | 'loaderror', listener: () => void): void;
}
interface Elements {
  create(kind: 'payment', options: object): PaymentElement;
  submit(): Promise<{ error?: unknown }>;
}
interface StripeScript {
  elements(options: object): Elements;
  createConfirmationToken(options: { elements: Elements }): Promise<{
    error?: unknown;
    confirmationToken?: { id: string };
  }>;
}

declare global {
  interface Window {
    Stripe?: (key: string) => StripeScript;
  }
}

export interface CardForm {
  /**
   * Checks the form, where it says what is missing, and opens Apple Pay's sheet if that is chosen. Must run during the click.
   * @returns the payment token; null if the form isn't complete
   * @throws if Stripe failed
   */
  requestToken(): Promise<string | null>;
  close(): void;
}

/**
 * Draws Stripe's form for cards and Apple Pay. It is a page of Stripe's, in a frame: no card number reaches this one (decision 80).
 * @throws if the script or the form doesn't load
 */
export async function openCardForm(
  key: string,
  { place, cents, isDark }: { place: HTMLElement; cents: number; isDark: boolean },
): Promise<CardForm> {
  await loadScript(SCRIPT);
  const stripe = window.Stripe?.(key);
  if (!stripe) throw new Error('Stripe did not load');
  const elements = stripe.elements({
    mode: 'payment',
    amount: cents,
    currency: 'usd',
    // As the server opens the payment.
    allowedPaymentMethodTypes: ['card'],
    appearance: { theme: isDark ? 'night' : 'stripe' },
  });
  const element = elements.create('payment', {
    business: { name: PRODUCT },
    // Google Pay has a button of its own.
    wallets: { applePay: 'auto', googlePay: 'never', link: 'never' },
  });
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = () => reject(new Error('Stripe’s form did not load'));
      timer = setTimeout(fail, READY_WITHIN_MS);
      element.on('ready', resolve);
      element.on('loaderror', fail);
      element.mount(place);
    });
  } catch (error) {
    element.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  return {
    async requestToken() {
      const { error: incomplete } = await elements.submit();
      if (incomplete) return null;
      const { error, confirmationToken } = await stripe.createConfirmationToken({ elements });
      if (!confirmationToken) throw new Error('Stripe gave no token', { cause: error });
      return JSON.stringify({ id: confirmationToken.id });
    },
    close: () => element.destroy(),
  };
}
