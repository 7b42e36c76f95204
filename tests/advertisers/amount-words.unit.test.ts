import { expect, test } from 'vitest';
import { amountWords } from '../../client/advertisers/format-amount.ts';

test.each([
  [0, '$200.00'],
  [5_050, '$200.00, of which $50.50 back'],
  [20_000, '$200.00'],
])('of 20000 cents %i that went back are told as %s', (returned_cents, words) =>
  expect(amountWords({ amount_cents: 20_000, returned_cents })).toBe(words),
);
