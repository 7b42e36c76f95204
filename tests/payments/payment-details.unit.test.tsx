import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { PaymentDetails } from '../../client/features/payments/payment-details.tsx';

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
