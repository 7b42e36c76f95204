import type { PaymentSettings } from '../../platform/settings/payments.ts';
import type { PaymentRow } from './collections.ts';

const DASHBOARD = 'https://dashboard.stripe.com';

/** Returns the page of a payment at the provider, for admins; null for the sandbox and for what never reached it. */
export function providerUrl(
  settings: PaymentSettings,
  { payment_provider, payment_id }: Pick<PaymentRow, 'payment_id'> & { payment_provider: string },
): string | null {
  if (payment_provider !== 'stripe' || payment_id === null) return null;
  const isTest = settings !== null && settings !== 'sandbox' && !settings.isLive;
  return `${DASHBOARD}/${isTest ? 'test/' : ''}payments/${encodeURIComponent(payment_id)}`;
}
