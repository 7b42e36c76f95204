import { createHash } from 'node:crypto';
import { Stripe } from 'stripe';
import { z } from 'zod';
import { HttpError } from '#shared/http/http-error.ts';
import { statusIn, type ProviderState } from '#shared/payments/provider-states.ts';
import type { Log } from '#shared/server/log.ts';
import type { StripeSettings } from '../../platform/settings/payments.ts';
import {
  GatewaySilent,
  type GatewayEvent,
  type PaymentGateway,
  type PaymentReport,
  type PaymentState,
} from './gateway.ts';

/** With one retry of each call, all calls of a payment end within its lease. */
const TIMEOUT_MS = 8_000;
const RETRIES = 1;

/** Of Google Pay, or a confirmation token of Stripe's own form (decision 80). */
const stripeToken = z.object({ id: z.string().regex(/^(tok|ctoken)_\w{1,200}$/) });
const FORM_TOKEN = 'ctoken_';
/** Charges, refunds and disputes. */
const aboutPayment = z.object({ payment_intent: z.string() });
/** Much more than a payment has. */
const LISTED_MAX = 100;

const fingerprint = (charge: string) =>
  createHash('sha256').update(charge).digest('base64url').slice(0, 22);

/** The state of a payment intent; null while Stripe is processing it. */
function stateOf(intent: Stripe.PaymentIntent): PaymentState | null {
  if (intent.status === 'canceled') return 'closed';
  if (intent.status === 'processing') return null;
  if (intent.status !== 'succeeded') return 'open';
  const charge = intent.latest_charge;
  return typeof charge === 'object' && charge?.refunded ? 'refunded' : 'paid';
}

/** Refunds that didn't return any money. */
const FAILED_REFUNDS = ['failed', 'canceled'];
/** Disputes that left us the money, with inquiries that ended, and those that were stopped before they began. */
const WON_DISPUTES = ['won', 'warning_closed', 'prevented'];
/** Disputes that took us the money; an appeal doesn't return it yet. */
const LOST_DISPUTES = ['lost', 'appeal_needs_response', 'appeal_under_review'];

/** What refunds and disputes made of a payment. @param refunds newest first */
function providerStateBy(
  amount: number,
  refunds: readonly Pick<Stripe.Refund, 'amount' | 'status'>[],
  disputes: readonly Pick<Stripe.Dispute, 'status'>[],
): Pick<PaymentReport, 'provider_state' | 'returned_cents'> {
  const made = refunds.filter(({ status }) => !FAILED_REFUNDS.includes(status ?? ''));
  const sum = (some: readonly { amount: number }[]) =>
    some.reduce((total, refund) => total + refund.amount, 0);
  const returned_cents = sum(made);
  // Stripe tells no status of refunds that need no confirmation.
  const done = sum(made.filter(({ status }) => status === null || status === 'succeeded'));
  const state = (): ProviderState => {
    if (disputes.some(({ status }) => LOST_DISPUTES.includes(status))) return 'dispute_lost';
    if (done >= amount) return 'refunded';
    if (returned_cents >= amount) return 'refund_pending';
    // A status that we don't know is none that ends it.
    if (disputes.some(({ status }) => !WON_DISPUTES.includes(status))) return 'disputed';
    if (refunds[0] && !made.includes(refunds[0])) return 'refund_failed';
    if (returned_cents > 0) return 'partly_refunded';
    return disputes.length > 0 ? 'dispute_won' : 'clear';
  };
  return { provider_state: state(), returned_cents };
}

/** Whether Stripe rejected the call: nothing was charged, and a retry would not change that. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeCardError ||
  error instanceof Stripe.errors.StripeInvalidRequestError;

/** Stripe, with payment intents: opened, then confirmed with the wallet's token. */
export function stripeGateway(
  settings: StripeSettings,
  log: Pick<Log, 'warn'>,
): PaymentGateway & { readEvent(body: Buffer, signature: string): GatewayEvent } {
  const { publishableKey, merchantId, apiUrl } = settings;
  const stripe = new Stripe(settings.secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    ...(apiUrl
      ? {
          host: apiUrl.hostname,
          port: Number(apiUrl.port || (apiUrl.protocol === 'http:' ? 80 : 443)),
          protocol: apiUrl.protocol === 'http:' ? 'http' : 'https',
        }
      : {}),
  });

  /** @throws GatewaySilent when Stripe did not respond; its rejections are thrown unchanged */
  async function ask<A>(what: string, run: () => Promise<A>): Promise<A> {
    try {
      return await run();
    } catch (error) {
      throw isRefusal(error) ? error : new GatewaySilent(what, error);
    }
  }

  const retrieve = (paymentId: string) =>
    ask('look', () => stripe.paymentIntents.retrieve(paymentId, { expand: ['latest_charge'] }));

  async function look(paymentId: string): Promise<PaymentState> {
    const state = stateOf(await retrieve(paymentId));
    if (!state) throw new GatewaySilent('Stripe is still processing');
    return state;
  }

  async function report(paymentId: string): Promise<PaymentReport> {
    const which = { payment_intent: paymentId, limit: LISTED_MAX };
    const intent = await retrieve(paymentId);
    const state = stateOf(intent);
    if (!state) throw new GatewaySilent('Stripe is still processing');
    if (state === 'open' || state === 'closed')
      return { state, provider_state: 'clear', returned_cents: 0 };
    const [refunds, disputes] = await ask('report', () =>
      Promise.all([stripe.refunds.list(which), stripe.disputes.list(which)]),
    );
    const money = providerStateBy(intent.amount, refunds.data, disputes.data);
    return { state: statusIn(money.provider_state) === 'refunded' ? 'refunded' : 'paid', ...money };
  }

  return {
    name: 'stripe',
    wallet: {
      environment: settings.isLive ? 'PRODUCTION' : 'TEST',
      gateway: 'stripe',
      gatewayMerchantId: '',
      merchantId,
      tokenization_parameters: {
        gateway: 'stripe',
        'stripe:version': Stripe.API_VERSION,
        'stripe:publishableKey': publishableKey,
      },
      is_sandbox: false,
      card_form_key: publishableKey,
    },

    readToken(token) {
      try {
        const { id } = stripeToken.parse(typeof token === 'string' ? JSON.parse(token) : token);
        return { id, charge: id };
      } catch (cause) {
        throw new HttpError(400, 'Payment processing failed', { code: 'payment_token', cause });
      }
    },

    async open({ key, amount_cents, currency, description, email }) {
      const intent = await ask('open', () =>
        stripe.paymentIntents.create(
          {
            amount: amount_cents,
            currency: currency.toLowerCase(),
            description,
            // Stripe's form is opened with the same. Both wallets pay by card.
            allowed_payment_method_types: ['card'],
            metadata: { payment: key },
            ...(email ? { receipt_email: email } : {}),
          },
          { idempotencyKey: key },
        ),
      );
      return intent.id;
    },

    async pay(paymentId, charge) {
      // Stripe's types lack wallet tokens.
      const by = charge.startsWith(FORM_TOKEN)
        ? { confirmation_token: charge }
        : { payment_method_data: { type: 'card' as const, card: { token: charge } } };
      try {
        await ask('pay', () =>
          stripe.paymentIntents.confirm(
            paymentId,
            { ...by, error_on_requires_action: true },
            { idempotencyKey: `${paymentId}-${fingerprint(charge)}` },
          ),
        );
      } catch (error) {
        if (!isRefusal(error)) throw error;
        if (!(error instanceof Stripe.errors.StripeCardError))
          log.warn({ err: error, payment: paymentId }, 'Stripe refused a payment');
      }
      // A rejection may mean that it was paid before, and a response may be a cached one, so the state is read again.
      const state = await look(paymentId);
      return state === 'open' ? 'declined' : state;
    },

    async close(paymentId) {
      try {
        await ask('close', () => stripe.paymentIntents.cancel(paymentId));
      } catch (error) {
        if (!isRefusal(error)) throw error;
      }
      const state = await look(paymentId);
      if (state === 'open') throw new GatewaySilent('Stripe did not close the payment');
      return state;
    },

    look,
    report,

    async refund(paymentId) {
      try {
        await ask('refund', () =>
          stripe.refunds.create(
            { payment_intent: paymentId },
            { idempotencyKey: `refund-${paymentId}` },
          ),
        );
      } catch (error) {
        // Stripe rejects a second refund: it may have been refunded before.
        if (!isRefusal(error)) throw error;
      }
      const state = await look(paymentId);
      if (state === 'open' || state === 'paid')
        throw new GatewaySilent('Stripe did not refund the payment');
      return state;
    },

    readEvent(body, signature) {
      try {
        const event = stripe.webhooks.constructEvent(body, signature, settings.webhookSecret);
        const { object } = event.data;
        const payment_id =
          object.object === 'payment_intent'
            ? object.id
            : (aboutPayment.safeParse(object).data?.payment_intent ?? null);
        return { id: event.id, payment_id };
      } catch (cause) {
        throw new HttpError(400, 'Invalid webhook signature', { cause });
      }
    },
  };
}
