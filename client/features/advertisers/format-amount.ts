import type { AdminAdPayment } from '#shared/advertisers/admin-contract.ts';
import { dollars } from '#shared/money.ts';

/** Formats an amount, with a partial refund if any. */
export const amountWords = ({
  amount_cents,
  returned_cents,
}: Pick<AdminAdPayment, 'amount_cents' | 'returned_cents'>): string =>
  returned_cents > 0 && returned_cents < amount_cents
    ? `${dollars(amount_cents)}, ${dollars(returned_cents)} refunded`
    : dollars(amount_cents);
