import { expect, test } from 'vitest';
import { isProductionReady, rateLevel, successRate } from '#shared/payments/admin-rules.ts';

test.each([
  [100, 'good'],
  [95, 'good'],
  [94.96, 'fair'],
  [85, 'fair'],
  [84.99, 'poor'],
  [0, 'poor'],
])('rates a success rate of %d%% as %s', (percent, level) =>
  expect(rateLevel(percent)).toBe(level),
);

test('the success rate is the share of paid among decided donations, or null without them', () => {
  expect(successRate({ successful_donations: 6, failed_donations: 2 })).toBe(75);
  expect(successRate({ successful_donations: 0, failed_donations: 0 })).toBeNull();
});

const real = {
  environment: 'PRODUCTION',
  merchantId: 'BCR2DN4T7ABCDEF',
  gateway: 'stripe',
} as const;
test('the wallet is ready for production with a real merchant and gateway', () =>
  expect(isProductionReady(real)).toBe(true));

test.each([
  [{ environment: 'TEST' as const }],
  [{ merchantId: '' }],
  [{ merchantId: 'TEST_MERCHANT' }],
  [{ merchantId: '12345678901234567890' }],
  [{ gateway: 'example' }],
  [{ gateway: 'stripe-test' }],
])('the wallet is in test mode with %j', (change) =>
  expect(isProductionReady({ ...real, ...change })).toBe(false),
);
