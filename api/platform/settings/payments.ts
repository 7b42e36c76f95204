import { z } from 'zod';
import { isSandboxAllowed } from '#shared/server/server-env.ts';
import { optional } from '../env-fields.ts';

/** Stripe, the sandbox, or null where payments are off. */
export type PaymentSettings = StripeSettings | 'sandbox' | null;

export interface StripeSettings {
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  /** Whether the keys move real money: then the wallet is in PRODUCTION. */
  isLive: boolean;
  /** Google's merchant id; empty with test keys. */
  merchantId: string;
  /** Replaces the URL of Stripe's API. */
  apiUrl: URL | null;
}

const TAX_PERCENT_MAX = 50;

/** Environment variables of payments. */
export const paymentVariables = {
  STRIPE_SECRET_KEY: optional.describe('Donations by Google Pay through Stripe'),
  STRIPE_PUBLISHABLE_KEY: optional.describe('Its other key'),
  STRIPE_WEBHOOK_SECRET: optional.describe(
    'Signing secret of the webhook at `/api/webhooks/stripe`; `.env.example` has its events',
  ),
  STRIPE_API_URL: optional
    .pipe(z.url({ protocol: /^https?$/ }).optional())
    .describe('For an emulator'),
  AD_TAX_NAME: optional.describe('Tax that the prices of ads include, for receipts: `VAT`'),
  AD_TAX_PERCENT: optional
    .transform((percent) => percent && Number(percent))
    .pipe(z.number().positive().max(TAX_PERCENT_MAX).optional())
    .describe('Its rate in percent; later changes apply to later payments'),
  AD_SELLER: optional
    .transform((lines) => lines?.replaceAll('\\n', '\n') ?? null)
    .describe('Who sells ads, for receipts: name, address and tax number, lines divided by `\\n`'),
  GOOGLE_PAY_MERCHANT_ID: optional.describe('Google’s merchant id, required with live keys'),
};
type PaymentVariables = z.output<z.ZodObject<typeof paymentVariables>>;

const isLive = (key: string | undefined) => /^[a-z]{2}_live_/.test(key ?? '');

/** Reports missing and inconsistent variables. */
export function checkPaymentEnv(
  env: PaymentVariables,
  wrong: (name: string, message: string) => void,
) {
  const needed = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'] as const;
  if (needed.some((name) => env[name]))
    for (const name of needed)
      if (!env[name]) wrong(name, 'Required with the other Stripe settings');
  if ((env.AD_TAX_NAME === undefined) !== (env.AD_TAX_PERCENT === undefined))
    wrong('AD_TAX_NAME', 'Required with AD_TAX_PERCENT, and the other way round');
  const live = isLive(env.STRIPE_SECRET_KEY);
  if (env.STRIPE_PUBLISHABLE_KEY && live !== isLive(env.STRIPE_PUBLISHABLE_KEY))
    wrong('STRIPE_PUBLISHABLE_KEY', 'One key is live and the other is a test key');
  if (live && !env.GOOGLE_PAY_MERCHANT_ID)
    wrong('GOOGLE_PAY_MERCHANT_ID', 'Required with live keys');
}

/** The payment provider: Stripe, else the sandbox where it is allowed, else none. */
export function paymentsOf(
  env: PaymentVariables & Parameters<typeof isSandboxAllowed>[0],
): PaymentSettings {
  const { STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET } = env;
  if (STRIPE_SECRET_KEY && STRIPE_PUBLISHABLE_KEY && STRIPE_WEBHOOK_SECRET)
    return {
      secretKey: STRIPE_SECRET_KEY,
      publishableKey: STRIPE_PUBLISHABLE_KEY,
      webhookSecret: STRIPE_WEBHOOK_SECRET,
      isLive: isLive(STRIPE_SECRET_KEY),
      merchantId: env.GOOGLE_PAY_MERCHANT_ID ?? '',
      apiUrl: env.STRIPE_API_URL ? new URL(env.STRIPE_API_URL) : null,
    };
  return isSandboxAllowed(env) ? 'sandbox' : null;
}
