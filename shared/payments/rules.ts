import type { PaymentStatus } from './contract.ts';

/** The statuses from which a payment may come into each: none leads back. */
const BEFORE: Record<PaymentStatus, readonly PaymentStatus[]> = {
  pending: [],
  completed: ['pending'],
  failed: ['pending'],
  // The gateway may tell of the refund before anybody was told of the payment.
  refunded: ['pending', 'completed'],
};

/** Where a payment may stand before it comes to a status. */
export const statusesBefore = (status: PaymentStatus): PaymentStatus[] => [...BEFORE[status]];

/** The card networks that the wallet offers. */
export const CARD_NETWORKS = ['MASTERCARD', 'VISA'] as const;
/** How the wallet may vouch for a card: by its number, or by a cryptogram of the device. */
export const CARD_AUTH_METHODS = ['PAN_ONLY', 'CRYPTOGRAM_3DS'] as const;

/** Whole dollars and cents as the wallet wants them, such as '1.00'. */
export const priceText = (cents: number): string => (cents / 100).toFixed(2);
