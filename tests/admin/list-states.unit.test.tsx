// @vitest-environment jsdom
import type { ComponentType } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import AccessCodesTab from '../../client/features/access-gate/access-codes-tab.tsx';
import { AdAnalytics } from '../../client/features/ads/ad-analytics.tsx';
import AdvertisementsTab from '../../client/features/ads/advertisements-tab.tsx';
import WeatherAlertsTab from '../../client/features/alerts/weather-alerts-tab.tsx';
import DonationsTab from '../../client/features/payments/donations-tab.tsx';
import { renderScreen } from '../render-screen.tsx';

beforeEach(() => {
  const media = { matches: true, addEventListener() {}, removeEventListener() {} };
  vi.stubGlobal('matchMedia', () => media);
});

const page = {
  total: 0,
  first: 0,
  total_is_capped: false,
  next_cursor: null,
  previous_cursor: null,
};
const noDonations = {
  stats: {
    total_donations: 0,
    successful_donations: 0,
    failed_donations: 0,
    total_amount_cents: 0,
    avg_donation_cents: 0,
    donations_last_24h: 0,
  },
  recentDonations: [],
  ...page,
};
const STATS = 'GET /api/donations/stats';
const CONFIG = 'GET /api/google-pay/config';
const ready = {
  environment: 'PRODUCTION',
  merchantId: 'BCR2DN4T',
  gateway: 'stripe',
  gatewayMerchantId: 'acct_1',
  tokenization_parameters: {},
  is_sandbox: false,
};
const failed = () => new Response('', { status: 400 });

test.each<[ComponentType, string, object, string[], string]>([
  [
    AccessCodesTab,
    'GET /api/admin/access-codes',
    { accessCodes: [], ...page },
    ['No access codes created yet'],
    'Failed to fetch access codes',
  ],
  [
    AdvertisementsTab,
    'GET /api/admin/advertisements',
    { advertisements: [], ...page },
    ['No advertisements created yet'],
    'Failed to fetch advertisements',
  ],
  [
    DonationsTab,
    STATS,
    noDonations,
    ['No donations found', 'No donations yet'],
    'Failed to load donation data',
  ],
  [
    WeatherAlertsTab,
    'GET /api/admin/emergency-alerts',
    { alerts: [], ...page },
    ['No emergency alerts found'],
    'Unable to load emergency alerts',
  ],
])(
  '%o shows a failure with a retry, and an empty list',
  async (Tab, call, nothing, empty, failure) => {
    const answers: Record<string, object> = { [call]: failed, [CONFIG]: ready };
    const screen = await renderScreen(<Tab />, { path: '/admin', answers });
    for (let tries = 0; tries < 5; tries += 1) await screen.pass(30_000);
    expect(screen.text()).toContain(failure);
    for (const words of empty) expect(screen.text()).not.toContain(words);
    answers[call] = nothing;
    await screen.press('Retry');
    for (const words of empty) expect(screen.text()).toContain(words);
    expect(screen.text()).not.toContain(failure);
  },
);

test.each([
  [
    () => Response.json({ error: 'The wallet is being moved' }, { status: 400 }),
    'Failed to load payment configuration',
    'The wallet is being moved',
  ],
  [
    () =>
      Response.json(
        { error: 'No payment configuration available', code: 'payments_off' },
        { status: 503 },
      ),
    'No payment configuration available',
    '',
  ],
  [ready, 'Production Ready', ''],
])('the donations say how payments are configured (%#)', async (config, ...words) => {
  const answers = { [STATS]: noDonations, [CONFIG]: config };
  const screen = await renderScreen(<DonationsTab />, { path: '/admin', answers });
  for (let tries = 0; tries < 5; tries += 1) await screen.pass(30_000);
  for (const each of words) expect(screen.text()).toContain(each);
});

test('analytics without clicks say so', async () => {
  const screen = await renderScreen(<AdAnalytics />, {
    answers: {
      'GET /api/admin/advertisement-analytics': {
        stats: { total_clicks: 0, unique_users: 0, clicks_last_24h: 0, ads_clicked: 0 },
        topAds: [],
        recentClicks: [],
        notCounted: [],
      },
    },
  });
  for (const words of ['No ad clicks recorded yet', 'No recent clicks'])
    expect(screen.text()).toContain(words);
});
