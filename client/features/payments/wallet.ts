import type { WalletConfig } from '#shared/payments/contract.ts';
import { CARD_AUTH_METHODS, CARD_NETWORKS, priceText } from '#shared/payments/rules.ts';
import { loadScript } from '../../platform/load-script.ts';
import { PRODUCT } from '../../platform/product.ts';

const LIVE_SCRIPT = 'https://pay.google.com/gp/p/js/pay.js';
const SANDBOX_SCRIPT = '/api/sandbox/google-pay/pay.js';

/** The part of Google's `PaymentsClient` that we use. */
interface PaymentsClient {
  isReadyToPay(request: object): Promise<{ result: boolean }>;
  createButton(options: object): HTMLElement;
  loadPaymentData(
    request: object,
  ): Promise<{ paymentMethodData: { tokenizationData: { token: string } } }>;
}

declare global {
  interface Window {
    google?: {
      payments?: { api?: { PaymentsClient: new (options: object) => PaymentsClient } };
    };
  }
}

export interface WalletButton {
  label: 'donate' | 'pay';
  dark: boolean;
  onClick: () => void;
}

/** Google Pay, loaded and ready to pay in this browser. */
export interface Wallet {
  createButton(button: WalletButton): HTMLElement;
  /**
   * Opens the wallet's sheet. Must run during the click, or browsers block the window.
   * @returns the payment token; null if the user canceled
   * @throws if the wallet failed
   */
  requestToken(amountCents: number): Promise<string | null>;
}

const VERSION = { apiVersion: 2, apiVersionMinor: 0 } as const;
const CARD = {
  type: 'CARD',
  parameters: { allowedAuthMethods: CARD_AUTH_METHODS, allowedCardNetworks: CARD_NETWORKS },
} as const;

/** Returns the request for one payment. */
const paymentRequest = (config: WalletConfig, amountCents: number) => ({
  ...VERSION,
  allowedPaymentMethods: [
    {
      ...CARD,
      tokenizationSpecification: {
        type: 'PAYMENT_GATEWAY',
        parameters: config.tokenization_parameters,
      },
    },
  ],
  merchantInfo: {
    merchantName: PRODUCT,
    ...(config.merchantId ? { merchantId: config.merchantId } : {}),
  },
  transactionInfo: {
    totalPriceStatus: 'FINAL',
    totalPrice: priceText(amountCents),
    currencyCode: 'USD',
    countryCode: 'US',
  },
});

const isCancel = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  (error as { statusCode?: unknown }).statusCode === 'CANCELED';

/**
 * Loads the wallet's script and checks whether it can pay here.
 * @returns null if this browser can't pay
 * @throws if the script doesn't load
 */
export async function openWallet(config: WalletConfig): Promise<Wallet | null> {
  await loadScript(config.is_sandbox ? SANDBOX_SCRIPT : LIVE_SCRIPT);
  const Client = window.google?.payments?.api?.PaymentsClient;
  if (!Client) throw new Error('The wallet did not load');
  const client = new Client({ environment: config.environment });
  const { result } = await client.isReadyToPay({ ...VERSION, allowedPaymentMethods: [CARD] });
  if (!result) return null;
  return {
    createButton: ({ label, dark, onClick }) =>
      client.createButton({
        onClick,
        buttonType: label,
        buttonColor: dark ? 'white' : 'black',
        buttonSizeMode: 'fill',
        buttonLocale: 'en',
        buttonRadius: 12,
        allowedPaymentMethods: [CARD],
      }),
    async requestToken(amountCents) {
      try {
        const data = await client.loadPaymentData(paymentRequest(config, amountCents));
        return data.paymentMethodData.tokenizationData.token;
      } catch (error) {
        if (isCancel(error)) return null;
        throw error;
      }
    },
  };
}
