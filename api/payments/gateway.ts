import type { PaymentToken, WalletConfig } from '#shared/payments/contract.ts';

/** What a payment is for: the gateway keeps it beside the money. */
export interface PaymentOrder {
  /** The same again for the same payment: whoever asks twice gets the same one. */
  key: string;
  amount_cents: number;
  currency: 'USD';
  description: string;
  /** Where the gateway sends a receipt. */
  email: string | null;
}

/** A wallet's token, read. */
export interface ReadToken {
  /** What makes this token the same as another one: none is taken for two payments. */
  id: string;
  /** What the gateway charges. */
  charge: string;
}

/**
 * How a payment stands at the gateway. `open` can still be paid; the others are for good, but for a payment that is
 * given back.
 */
export type PaymentState = 'open' | 'paid' | 'closed' | 'refunded';

/**
 * Who takes the money. A payment is opened first and paid by a second call, so that we know its id before any money
 * moves: whatever answer is lost, `look` tells the outcome, however late. Every call may be repeated.
 */
export interface PaymentGateway {
  /** As donations record it. */
  name: 'stripe' | 'sandbox';
  wallet: WalletConfig;
  /** @throws HttpError 400 when it is no token of this gateway's */
  readToken(token: PaymentToken): ReadToken;
  /** Opens a payment, which charges nothing. @returns its id */
  open(order: PaymentOrder): Promise<string>;
  /**
   * Charges a card, at most once for a payment.
   * @returns 'declined' when the card was refused: the payment is then still open
   */
  pay(paymentId: string, charge: string): Promise<'paid' | 'declined' | 'closed' | 'refunded'>;
  /** Closes a payment that is open, so that it can never be paid any more. @returns how it stands then */
  close(paymentId: string): Promise<Exclude<PaymentState, 'open'>>;
  look(paymentId: string): Promise<PaymentState>;
  /** Gives all of a payment back, once however often it is asked. @returns how it stands then */
  refund(paymentId: string): Promise<Exclude<PaymentState, 'open' | 'paid'>>;
}

/** The gateway did not say what came of it: nobody knows whether it did as asked. */
export class GatewaySilent extends Error {
  constructor(what: string, cause?: unknown) {
    super(`the gateway did not confirm a result: ${what}`, { cause });
    this.name = 'GatewaySilent';
  }
}

/** What a gateway tells by itself. */
export interface GatewayEvent {
  id: string;
  /** The payment that it is about; null when it is about something else. */
  payment_id: string | null;
  /** How much of it was given back by then, as far as this tells; it never grows less. */
  returned_cents: number;
}
