import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the emulator fails the next request to confirm. */
export type Trouble = 'rate-limited' | 'broken' | 'malformed' | 'hangs-up' | 'hangs-up-after';

interface Intent {
  id: string;
  object: 'payment_intent';
  amount: number;
  currency: string;
  status: 'requires_payment_method' | 'succeeded' | 'canceled' | 'processing';
  metadata: Record<string, string>;
  latest_charge: {
    id: string;
    object: 'charge';
    amount_refunded: number;
    /** Whether all of it was refunded. */
    refunded: boolean;
  } | null;
}

interface Refund {
  id: string;
  object: 'refund';
  payment_intent: string;
  amount: number;
  status: string | null;
}

interface Dispute {
  id: string;
  object: 'dispute';
  payment_intent: string;
  status: string;
}

export interface StripeEmulator {
  url: string;
  intents: Map<string, Intent>;
  /** Makes a refund, or changes its status, as Stripe’s dashboard and the banks do. @returns it, for an event */
  refund(intent: string, amount: number, status?: string | null, id?: string): Refund;
  /** Lets the last refund fail at the bank. @returns it, for an event */
  failRefund(intent: string): Refund;
  /** Opens a dispute, or changes its status. @returns it, for an event */
  dispute(intent: string, status: string): Dispute;
  /** Every request, as `METHOD path`, with its form and its idempotency key. */
  seen: { call: string; form: URLSearchParams; key: string | undefined }[];
  troubles: Trouble[];
  close(): Promise<void>;
}

const declined = {
  error: {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'generic_decline',
    message: 'Your card was declined.',
  },
};
const invalid = (code: string, message: string) => ({
  error: { type: 'invalid_request_error', code, message },
});

/** The part of Stripe's API that we use, over loopback HTTP, with its answers' shapes and its idempotency keys. */
export async function startStripeEmulator(): Promise<StripeEmulator> {
  const intents = new Map<string, Intent>();
  const storedAnswers = new Map<string, { status: number; body: unknown }>();
  const seen: StripeEmulator['seen'] = [];
  const troubles: Trouble[] = [];

  function create(form: URLSearchParams): { status: number; body: unknown } {
    const intent: Intent = {
      id: `pi_${intents.size + 1}`,
      object: 'payment_intent',
      amount: Number(form.get('amount')),
      currency: form.get('currency') ?? '',
      status: 'requires_payment_method',
      metadata: { payment: form.get('metadata[payment]') ?? '' },
      latest_charge: null,
    };
    intents.set(intent.id, intent);
    return { status: 200, body: intent };
  }

  function confirm(intent: Intent, form: URLSearchParams): { status: number; body: unknown } {
    if (intent.status !== 'requires_payment_method')
      return {
        status: 400,
        body: invalid('payment_intent_unexpected_state', 'This PaymentIntent cannot be confirmed.'),
      };
    // A token of Google Pay, or of Stripe's form.
    const token =
      form.get('payment_method_data[card][token]') ??
      form.get('confirmation_token')?.replace('ctoken_', 'tok_') ??
      '';
    if (token.startsWith('tok_declined')) return { status: 402, body: declined };
    if (!token.startsWith('tok_'))
      return { status: 400, body: invalid('resource_missing', `No such token: '${token}'`) };
    intent.status = token.startsWith('tok_slow') ? 'processing' : 'succeeded';
    intent.latest_charge = {
      id: `ch_${intent.id}`,
      object: 'charge',
      amount_refunded: 0,
      refunded: false,
    };
    return { status: 200, body: intent };
  }

  function cancel(intent: Intent): { status: number; body: unknown } {
    if (intent.status !== 'requires_payment_method')
      return {
        status: 400,
        body: invalid('payment_intent_unexpected_state', 'You cannot cancel this PaymentIntent.'),
      };
    intent.status = 'canceled';
    return { status: 200, body: intent };
  }

  /** Newest first. */
  const refunds: Refund[] = [];
  const disputes: Dispute[] = [];

  function putRefund(intent: string, amount: number, status: string | null, id: string): Refund {
    const known = refunds.find((each) => each.id === id);
    const refund = known ?? { id, object: 'refund', payment_intent: intent, amount, status };
    refund.status = status;
    if (!known) refunds.unshift(refund);
    const charge = intents.get(intent)?.latest_charge;
    // Without those that failed, as Stripe counts.
    const made = refunds.filter(
      (each) =>
        each.payment_intent === intent && !['failed', 'canceled'].includes(each.status ?? ''),
    );
    if (charge) {
      charge.amount_refunded = made.reduce((sum, each) => sum + each.amount, 0);
      charge.refunded = charge.amount_refunded >= (intents.get(intent)?.amount ?? 0);
    }
    return refund;
  }

  function putDispute(intent: string, status: string): Dispute {
    const known = disputes.find((each) => each.payment_intent === intent);
    const dispute =
      known ?? ({ id: `dp_${intent}`, object: 'dispute', payment_intent: intent, status } as const);
    if (!known) disputes.push(dispute);
    return Object.assign(dispute, { status });
  }

  function refund(intent: Intent | undefined): { status: number; body: unknown } {
    if (!intent?.latest_charge || intent.latest_charge.refunded)
      return {
        status: 400,
        body: invalid('charge_already_refunded', 'This charge cannot be refunded.'),
      };
    const made = putRefund(intent.id, intent.amount, 'succeeded', `re_${refunds.length + 1}`);
    return { status: 200, body: made };
  }

  const listOf = (rows: readonly { payment_intent: string }[], intent: string | null) => ({
    status: 200,
    body: { object: 'list', data: rows.filter((row) => row.payment_intent === intent) },
  });

  function answer(
    call: string,
    form: URLSearchParams,
    key: string | undefined,
    about: string | null,
  ) {
    if (key && storedAnswers.has(key)) return storedAnswers.get(key);
    const [, id = '', what] = /^\w+ \/v1\/payment_intents\/?([^/]*)\/?(.*)$/.exec(call) ?? [];
    const intent = intents.get(id);
    if (call === 'GET /v1/refunds') return listOf(refunds, about);
    if (call === 'GET /v1/disputes') return listOf(disputes, about);
    if (call === 'POST /v1/payment_intents') return keep(key, create(form));
    if (call === 'POST /v1/refunds')
      return keep(key, refund(intents.get(form.get('payment_intent') ?? '')));
    if (!intent)
      return { status: 404, body: invalid('resource_missing', `No such payment_intent: '${id}'`) };
    if (what === 'confirm') return keep(key, confirm(intent, form));
    if (what === 'cancel') return cancel(intent);
    return { status: 200, body: intent };
  }

  function keep(key: string | undefined, made: { status: number; body: unknown }) {
    // A copy, so that a repeat gets the original response.
    if (key) storedAnswers.set(key, { status: made.status, body: structuredClone(made.body) });
    return made;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk as string;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stripe');
    const call = `${request.method} ${pathname}`;
    const form = new URLSearchParams(body);
    const key = request.headers['idempotency-key'] as string | undefined;
    seen.push({ call, form, key });
    const send = (status: number, text: string, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
    const trouble = pathname.endsWith('/confirm') ? troubles.shift() : undefined;
    if (trouble === 'hangs-up') return void request.socket.destroy();
    if (trouble === 'rate-limited')
      return void send(
        429,
        JSON.stringify({ error: { type: 'invalid_request_error', code: 'rate_limit' } }),
        { 'stripe-should-retry': 'false' },
      );
    if (trouble === 'broken')
      return void send(500, JSON.stringify({ error: { type: 'api_error' } }), {
        'stripe-should-retry': 'false',
      });
    const made = answer(call, form, key, searchParams.get('payment_intent'));
    if (trouble === 'hangs-up-after') return void request.socket.destroy();
    if (trouble === 'malformed') return void send(200, '<html>not JSON</html>');
    send(made?.status ?? 500, JSON.stringify(made?.body ?? {}));
  }

  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    intents,
    refund: (intent, amount, status = 'succeeded', id = `re_${refunds.length + 1}`) =>
      putRefund(intent, amount, status, id),
    failRefund(intent) {
      const last = refunds.find((refund) => refund.payment_intent === intent);
      if (!last) throw new Error(`no refund of ${intent}`);
      return putRefund(intent, last.amount, 'failed', last.id);
    },
    dispute: putDispute,
    seen,
    troubles,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
