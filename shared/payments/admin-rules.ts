import type { DonationStats } from './admin-contract.ts';
import type { WalletConfig } from './contract.ts';

/** Success rates from which payments are good or fair. */
const GOOD_PERCENT = 95;
const FAIR_PERCENT = 85;

/** The donations that were paid or failed: one that waits for a card is neither. */
export const decidedDonations = ({
  successful_donations,
  failed_donations,
}: Pick<DonationStats, 'successful_donations' | 'failed_donations'>): number =>
  successful_donations + failed_donations;

/** The percentage of decided donations that were paid; null without any. */
export function successRate(
  stats: Pick<DonationStats, 'successful_donations' | 'failed_donations'>,
): number | null {
  const decided = decidedDonations(stats);
  return decided === 0 ? null : (stats.successful_donations / decided) * 100;
}

export type RateLevel = 'good' | 'fair' | 'poor';

/** The level of a success rate: green, yellow or red. */
export function rateLevel(percent: number): RateLevel {
  if (percent >= GOOD_PERCENT) return 'good';
  return percent >= FAIR_PERCENT ? 'fair' : 'poor';
}

/** Google's sample merchant id, and names of test gateways. */
const TEST_NAMES = /test|example|sample|sandbox|^0*1?2345678901234567890$/i;
const isReal = (name: string): boolean => name.trim() !== '' && !TEST_NAMES.test(name);

/** Whether the wallet takes real money: PRODUCTION with a real merchant and gateway. */
export const isProductionReady = ({
  environment,
  merchantId,
  gateway,
}: Pick<WalletConfig, 'environment' | 'merchantId' | 'gateway'>): boolean =>
  environment === 'PRODUCTION' && isReal(merchantId) && isReal(gateway);
