import type { PaymentToken, WalletConfig } from '#shared/payments/contract.ts';
import type { ProviderState } from '#shared/payments/provider-states.ts';

/** A payment to open at the gateway. */
export interface PaymentOrder {
  /** The idempotency key: the same for the same payment. */
  key: string;
  amount_cents: number;
  currency: 'USD';
  description: string;
  /** Where the gateway sends a receipt. */
  email: string | null;
}

/** A parsed wallet token. */
export interface ReadToken {
  /** Identifies the token, so that it is used for one payment only. */
  id: string;
  /** What the gateway charges. */
  charge: string;
}

/**
 * The state of a payment at the gateway. `open` can still be paid, and `closed` is final; `refunded` means that the payer has the
 * money again, or is about to get it, by a refund or a dispute; a refund that fails makes it `paid` again.
 */
export type PaymentState = 'open' | 'paid' | 'closed' | 'refunded';

/** Everything that the gateway knows about a payment. */
export interface PaymentReport {
  state: PaymentState;
  /** `clear` before it was paid. */
  provider_state: ProviderState;
  /** What was refunded, without refunds that failed. */
  returned_cents: number;
}

/**
 * A payment gateway. A payment is opened first and paid by a second call, so that we know its id before any money moves:
 * if a response is lost, `look` tells the result at any later time. Every call may be repeated.
 */
export interface PaymentGateway {
  /** As stored in payments. */
  name: 'stripe' | 'sandbox';
  wallet: WalletConfig;
  /** @throws HttpError 400 when it is no token of this gateway's */
  readToken(token: PaymentToken): ReadToken;
  /** Opens a payment without charging anything. @returns its id */
  open(order: PaymentOrder): Promise<string>;
  /**
   * Charges a card, at most once for each payment.
   * @returns 'declined' when the card was declined; the payment stays open then
   */
  pay(paymentId: string, charge: string): Promise<'paid' | 'declined' | 'closed' | 'refunded'>;
  /** Closes an open payment, so that it can never be paid. @returns its state */
  close(paymentId: string): Promise<Exclude<PaymentState, 'open'>>;
  look(paymentId: string): Promise<PaymentState>;
  /** As `look`, with refunds and disputes, which takes more calls. */
  report(paymentId: string): Promise<PaymentReport>;
  /** Refunds a payment in full, once however often it is called. @returns its state */
  refund(paymentId: string): Promise<Exclude<PaymentState, 'open' | 'paid'>>;
}

/** The gateway did not respond, so the result is unknown. */
export class GatewaySilent extends Error {
  constructor(what: string, cause?: unknown) {
    super(`the gateway did not confirm a result: ${what}`, { cause });
    this.name = 'GatewaySilent';
  }
}

/** An event from the gateway's webhook. */
export interface GatewayEvent {
  id: string;
  /** Null when the event is not about a payment. */
  payment_id: string | null;
}
