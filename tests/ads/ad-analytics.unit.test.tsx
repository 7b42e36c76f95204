// @vitest-environment jsdom
import { expect, test } from 'vitest';
import { AdAnalytics } from '../../client/features/ads/ad-analytics.tsx';
import { renderScreen } from '../render-screen.tsx';

const CALL = 'GET /api/admin/advertisement-analytics';

test('shows the clicks of all ads, the top ads and the recent clicks', async () => {
  const screen = await renderScreen(<AdAnalytics />, {
    answers: {
      [CALL]: {
        stats: { total_clicks: 71, unique_users: 52, clicks_last_24h: 13, ads_clicked: 4 },
        topAds: [{ ad_id: 'a', ad_title: 'Kibble', click_count: 38, unique_clicks: 29 }],
        recentClicks: [
          {
            ad_title: 'Bones',
            ad_url: 'https://bones.example/',
            clicked_at: '2026-11-26T08:00:00.000Z',
          },
        ],
        notCounted: [],
      },
    },
  });
  for (const words of [
    'Total clicks71',
    'Unique users52',
    'Last 24 hours13',
    'Ads clicked4',
    'Kibble38 clicksby 29 people',
    'Boneshttps://bones.example/',
  ])
    expect(screen.text()).toContain(words);
});

test('a failure of the analytics is only logged', async () => {
  const screen = await renderScreen(<AdAnalytics />);
  for (let tries = 0; tries < 10; tries += 1) await screen.pass(30_000);
  expect(screen.requests).toContain(CALL);
  expect(console.error).toHaveBeenCalledWith(
    'Failed to fetch advertisement analytics',
    expect.any(Error),
  );
  expect(screen.text()).not.toMatch(/fail|error|Top Ads|No ad clicks/i);
});
