import { paymentEvents } from './collections.ts';
import type { Context } from 'koa';
import { isDuplicate } from '../database.ts';
import { unavailable } from '../http/http-error.ts';
import { readBytes } from '../http/request-body.ts';
import type { Api } from '../services.ts';
import { GatewaySilent, type GatewayEvent } from './gateway.ts';

/** Is told a payment of the gateway's, and how much of it was given back. @returns whether it is one of its own */
export type PaymentListener = (paymentId: string, returnedCents: number) => Promise<boolean>;

/**
 * Where Stripe tells what happened to a payment: `POST /api/webhooks/stripe`. Each event only makes us ask how the
 * payment stands, so it does not matter in which order they come, or how often.
 * @param listeners may grow as long as features are mounted
 */
export function mountGatewayEvents(
  { router, services }: Api,
  gateway: { readEvent(body: Buffer, signature: string): GatewayEvent },
  listeners: readonly PaymentListener[],
): void {
  router.post('/webhooks/stripe', async (ctx: Context) => {
    // As it was sent: the signature is over the bytes.
    const news = gateway.readEvent(
      await readBytes(ctx, services.bodiesInFlight),
      ctx.get('stripe-signature'),
    );
    ctx.body = { received: true };
    if (!news.payment_id || (await paymentEvents(services.db).findOne({ _id: news.id }))) return;
    try {
      for (const handleEvent of listeners) {
        if (await handleEvent(news.payment_id, news.returned_cents)) break;
      }
    } catch (error) {
      // Stripe tells it again later.
      if (error instanceof GatewaySilent) throw unavailable('payments', error);
      throw error;
    }
    // Only now: what a crash cut off is dealt with when it comes again.
    try {
      await paymentEvents(services.db).insertOne({ _id: news.id, at: new Date() });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  });
}
