// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { DonationStatCards, SuccessRate } from '../../client/features/payments/donation-stats.tsx';
import { PaymentDetails } from '../../client/features/payments/payment-details.tsx';
import { renderScreen } from '../render-screen.tsx';

const tokens = readFileSync(join(import.meta.dirname, '../../client/tokens.css'), 'utf8');

/** The hues of a color in the light and the dark theme, in degrees: 0 is red, 60 yellow, 120 green. */
const huesOf = (name: string): number[] =>
  [...tokens.matchAll(new RegExp(`--${name}: #(..)(..)(..);`, 'g'))].map(([, ...parts]) => {
    const [r = 0, g = 0, b = 0] = parts.map((part) => Number.parseInt(part, 16));
    return (Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b) * 180) / Math.PI;
  });

test.each([
  [95, '95.0% · Good', 'good', 120],
  [94, '94.0% · Fair', 'fair', 40],
  [85, '85.0% · Fair', 'fair', 40],
  [84, '84.0% · Poor', 'poor', 0],
])('a success rate of %i%% is shown as %s in the color %s', async (rate, words, color, hue) => {
  const stats = {
    total_donations: 100,
    successful_donations: rate,
    failed_donations: 100 - rate,
    total_amount_cents: 12_345,
    avg_donation_cents: 130,
    donations_last_24h: 3,
  };
  const screen = await renderScreen(
    <>
      <DonationStatCards stats={stats} />
      <SuccessRate stats={stats} />
    </>,
  );
  for (const value of ['100', String(rate), '$123.45', '$1.30', '3'])
    expect(screen.text()).toContain(value);
  const badge = [...document.querySelectorAll('span')].find((one) => one.textContent === words);
  expect(badge?.className).toContain(`bg-${color} `);
  expect(huesOf(color)).toHaveLength(2);
  for (const each of huesOf(color)) expect(Math.abs(each - hue)).toBeLessThan(40);
});

test('doesn’t rate payments that only wait for a card', async () => {
  const stats = {
    total_donations: 4,
    successful_donations: 0,
    failed_donations: 0,
    total_amount_cents: 0,
    avg_donation_cents: 0,
    donations_last_24h: 4,
  };
  const screen = await renderScreen(<SuccessRate stats={stats} />);
  expect(screen.text()).toContain('No finished payments yet');
  expect(screen.text()).not.toContain('Poor');
});

const PAID = {
  id: 'one',
  amount_cents: 20_000,
  currency: 'USD',
  payment_status: 'completed',
  provider_state: 'clear',
  returned_cents: 0,
  payment_provider: 'stripe',
  payment_id: 'pi_1',
  provider_url: null,
  failure: null,
  submitted_at: '2026-11-21T10:01:00.000Z',
  created_at: '2026-11-21T10:00:00.000Z',
  updated_at: '2026-11-21T10:02:00.000Z',
} as const;
type Change = Partial<Parameters<typeof PaymentDetails>[0]['payment']>;
const wordsOf = (change: Change) =>
  renderToStaticMarkup(<PaymentDetails payment={{ ...PAID, ...change }} more={[]} />).replace(
    /<[^>]+>/g,
    ' ',
  );

test.each<[Change, string]>([
  [{ payment_status: 'failed', failure: 'payment_declined' }, 'The bank declined the card.'],
  [{ payment_status: 'failed', failure: 'payment_not_paid' }, 'It was closed before it was paid.'],
  [{ payment_status: 'failed' }, 'The provider gave no cause.'],
  [{ payment_status: 'pending', submitted_at: null }, 'No card was entered yet.'],
  [{ payment_status: 'pending' }, 'hasn’t told us the result yet'],
])('says why there is no money with %j', (change, cause) =>
  expect(wordsOf(change)).toContain(cause),
);

test('tells the course of a payment, with what happened to the money since', () => {
  expect(wordsOf({})).toMatch(/Created.*Card submitted.*Succeeded/);
  const disputed = wordsOf({ provider_state: 'partly_refunded', returned_cents: 5_000 });
  expect(disputed).toMatch(/Succeeded.*Partly refunded/);
  expect(disputed).toContain('$50.00');
});
