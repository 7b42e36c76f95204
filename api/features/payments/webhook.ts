import type { Context } from 'koa';
import { unavailable } from '#shared/http/http-error.ts';
import { insertIfAbsent } from '../../platform/database.ts';
import { readBytes } from '../../platform/http/request-body.ts';
import type { Api } from '../../platform/services.ts';
import { paymentEvents } from './collections.ts';
import { GatewaySilent, type GatewayEvent } from './gateway.ts';

/** Handles an event about a payment. @returns whether the payment is of its kind */
export type PaymentListener = (paymentId: string) => Promise<boolean>;

/** Tells the listener whose payment it is. */
export async function notifyListeners(
  listeners: readonly PaymentListener[],
  paymentId: string,
): Promise<void> {
  for (const listener of listeners) if (await listener(paymentId)) return;
}

/**
 * Stripe's webhook: `POST /api/webhooks/stripe`. Each event only makes us read the payment at Stripe, so the order and
 * number of events do not matter.
 * @param listeners may grow while features are mounted
 */
export function mountGatewayEvents(
  { router, services }: Api,
  gateway: { readEvent(body: Buffer, signature: string): GatewayEvent },
  listeners: readonly PaymentListener[],
): void {
  router.post('/webhooks/stripe', async (ctx: Context) => {
    // The raw body, because it is signed.
    const event = gateway.readEvent(
      await readBytes(ctx, services.bodiesInFlight),
      ctx.get('stripe-signature'),
    );
    ctx.body = { received: true };
    if (!event.payment_id || (await paymentEvents(services.db).findOne({ _id: event.id }))) return;
    try {
      await notifyListeners(listeners, event.payment_id);
    } catch (error) {
      // Stripe sends it again later.
      if (error instanceof GatewaySilent) throw unavailable('payments', error);
      throw error;
    }
    // Stored last, so that an event interrupted by a crash is handled when Stripe sends it again.
    await insertIfAbsent(paymentEvents(services.db), { _id: event.id, at: new Date() });
  });
}
