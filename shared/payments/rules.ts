/** Larger amounts are likely typos. */
export const DONATION_MAX_CENTS = 50_000;

export const PAYMENT_STATUSES = ['pending', 'completed', 'failed', 'refunded'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** The donation that opens the gate, in cents. */
export const DONATION_CENTS = 100;

/** The statuses from which a payment can move to each status by what we do. A report of the provider may also undo a refund. */
const BEFORE: Record<PaymentStatus, readonly PaymentStatus[]> = {
  pending: [],
  completed: ['pending'],
  failed: ['pending'],
  // The event of a refund may arrive before the response of the payment.
  refunded: ['pending', 'completed'],
};

/** The statuses from which a payment can move to a status. */
export const statusesBefore = (status: PaymentStatus): PaymentStatus[] => [...BEFORE[status]];

/** Whether a report of the provider moves a payment from one status to another: a refund that fails makes it paid again. */
export const canReport = (from: PaymentStatus, to: PaymentStatus): boolean =>
  BEFORE[to].includes(from) || (from === 'refunded' && to === 'completed');

/** The card networks that the wallet offers. */
export const CARD_NETWORKS = ['MASTERCARD', 'VISA'] as const;
/** How the wallet authenticates a card: by its number, or by a cryptogram of the device. */
export const CARD_AUTH_METHODS = ['PAN_ONLY', 'CRYPTOGRAM_3DS'] as const;

/** The price in the wallet's format, such as '1.00'. */
export const priceText = (cents: number): string => (cents / 100).toFixed(2);
