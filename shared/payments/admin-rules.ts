import type { DonationStats } from './admin-contract.ts';
import type { WalletConfig } from './contract.ts';

/** From so many percent on payments go well, or well enough. */
const GOOD_PERCENT = 95;
const FAIR_PERCENT = 85;

/** How many of a hundred donations were paid; null where there are none. */
export const successRate = ({
  total_donations,
  successful_donations,
}: Pick<DonationStats, 'total_donations' | 'successful_donations'>): number | null =>
  total_donations === 0 ? null : (successful_donations / total_donations) * 100;

export type RateLevel = 'good' | 'fair' | 'poor';

/** What a success rate says: green, yellow or red. */
export function rateLevel(percent: number): RateLevel {
  if (percent >= GOOD_PERCENT) return 'good';
  return percent >= FAIR_PERCENT ? 'fair' : 'poor';
}

/** Google's sample merchant, and what gateways call their own for tests. */
const TEST_NAMES = /test|example|sample|sandbox|stand-in|^0*1?2345678901234567890$/i;
const isReal = (name: string): boolean => name.trim() !== '' && !TEST_NAMES.test(name);

/** Whether the wallet takes real money: in PRODUCTION, with a merchant and a gateway that are not for tests. */
export const isProductionReady = ({
  environment,
  merchantId,
  gateway,
}: Pick<WalletConfig, 'environment' | 'merchantId' | 'gateway'>): boolean =>
  environment === 'PRODUCTION' && isReal(merchantId) && isReal(gateway);
