import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from 'koa';
import { z } from 'zod';
import { HttpError } from '#shared/http/http-error.ts';
import { providerState } from '#shared/payments/provider-states.ts';
import { readJson } from '../../../platform/http/request-body.ts';
import { addressOf, networkOf } from '../../../platform/http/request-origin.ts';
import type { Api } from '../../../platform/services.ts';
import type { PaymentGateway } from '../gateway.ts';
import { sandboxGateway } from './gateway.ts';
import { CARDS, issueToken } from './token.ts';

const SCRIPT = join(import.meta.dirname, 'pay.js');
const choice = z.object({ card: z.enum(CARDS) });
const change = z.object({ provider_state: providerState });

/**
 * Simulates Google Pay and its gateway: serves the wallet's script, issues tokens and accepts them. Refunds and disputes of a payment
 * are simulated by its id, which administrators see only.
 * @param notify handles an event about a payment
 */
export async function mountSandboxWallet(
  { router, services }: Api,
  notify: (paymentId: string) => Promise<void>,
): Promise<PaymentGateway> {
  const limit = services.limiter({ name: 'sandbox-wallet', points: 120, seconds: 60 });
  const script = await readFile(SCRIPT);

  router.get('/sandbox/google-pay/pay.js', (ctx: Context) => {
    ctx.type = 'text/javascript';
    ctx.body = script;
  });

  router.post('/sandbox/google-pay/token', async (ctx: Context) => {
    await limit(networkOf(addressOf(ctx)));
    const chosen = choice.safeParse(await readJson(ctx, services.bodiesInFlight));
    if (!chosen.success) throw new HttpError(400, 'Invalid input');
    ctx.body = { token: issueToken(chosen.data.card) };
  });

  const gateway = sandboxGateway(services.db);

  router.post('/sandbox/payments/:id/state', async (ctx: Context) => {
    await limit(networkOf(addressOf(ctx)));
    const to = change.safeParse(await readJson(ctx, services.bodiesInFlight));
    if (!to.success) throw new HttpError(400, 'Invalid input');
    const paymentId = (ctx['params'] as { id: string }).id;
    if (!(await gateway.simulate(paymentId, to.data.provider_state)))
      throw new HttpError(404, 'Payment not found');
    await notify(paymentId);
    ctx.body = { received: true };
  });

  return gateway;
}
