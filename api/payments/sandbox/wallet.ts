import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from 'koa';
import { z } from 'zod';
import { addressOf, networkOf } from '../../http/request-origin.ts';
import { HttpError } from '../../http/http-error.ts';
import { readJson } from '../../http/request-body.ts';
import type { Api } from '../../services.ts';
import type { PaymentGateway } from '../gateway.ts';
import { RECIPIENT, sandboxGateway } from './gateway.ts';
import { CARDS, tokenIssuer } from './issuer.ts';
import { newGatewayKeys } from './encrypted-message.ts';

const SCRIPT = join(import.meta.dirname, 'pay.js');
const choice = z.object({ card: z.enum(CARDS) });

/** Simulates Google Pay and its gateway: serves the wallet's script, signs tokens and accepts them. */
export async function mountSandboxWallet({ router, services }: Api): Promise<PaymentGateway> {
  const keys = newGatewayKeys();
  const issuer = tokenIssuer({ recipient: RECIPIENT, gatewayPublicKey: keys.getPublicKey() });
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
    ctx.body = { token: issuer.issue(chosen.data.card) };
  });

  return sandboxGateway(services.db, keys, issuer.rootKeys);
}
