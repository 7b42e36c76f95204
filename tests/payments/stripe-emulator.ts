import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
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

export interface StripeEmulator {
  url: string;
  intents: Map<string, Intent>;
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
    const token = form.get('payment_method_data[card][token]') ?? '';
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

  function refund(intent: Intent | undefined): { status: number; body: unknown } {
    if (!intent?.latest_charge || intent.latest_charge.refunded)
      return {
        status: 400,
        body: invalid('charge_already_refunded', 'This charge cannot be refunded.'),
      };
    intent.latest_charge.amount_refunded = intent.amount;
    intent.latest_charge.refunded = true;
    return { status: 200, body: { id: `re_${intent.id}`, object: 'refund', status: 'succeeded' } };
  }

  function answer(call: string, form: URLSearchParams, key: string | undefined) {
    if (key && storedAnswers.has(key)) return storedAnswers.get(key);
    const [, id = '', what] = /^\w+ \/v1\/payment_intents\/?([^/]*)\/?(.*)$/.exec(call) ?? [];
    const intent = intents.get(id);
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
    const { pathname } = new URL(request.url ?? '/', 'http://stripe');
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
    const made = answer(call, form, key);
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
