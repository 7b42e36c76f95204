import { expect, test } from 'vitest';
import { amountWords } from '../../client/features/advertisers/format-amount.ts';

test.each([
  [0, '$200.00'],
  [5_050, '$200.00, $50.50 refunded'],
  [20_000, '$200.00'],
])('describes a payment of 20000 cents with %i refunded as %s', (returned_cents, words) =>
  expect(amountWords({ amount_cents: 20_000, returned_cents })).toBe(words),
);
