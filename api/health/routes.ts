import { setTimeout as wait } from 'node:timers/promises';
import { health, openapi } from '#shared/health/contract.ts';
import type { Context } from 'koa';
import { HttpError } from '../http/http-error.ts';
import { serve } from '../http/mount-endpoint.ts';
import type { Api } from '../services.ts';
import { isSandboxWeather } from '../weather/choose-provider.ts';
import { describeApi } from './openapi.ts';
import { securityTxt } from './security-txt.ts';

const PING_MS = 1_500;

/** The health check, security.txt, and the OpenAPI description. */
export function mountHealth(api: Api): void {
  const { env, draining, db, documents, outbox } = api.services;

  /** The driver itself waits longer for a server that it can't reach. */
  const mongodbAnswers = (): Promise<boolean> =>
    Promise.race([
      db.command({ ping: 1 }, { timeoutMS: PING_MS }).then(
        () => true,
        () => false,
      ),
      wait(PING_MS, false),
    ]);

  serve(api, health, async ({ ctx }) => {
    const [mongodb, syncServer] = await Promise.all([mongodbAnswers(), documents.isReady()]);
    const missing = [
      ...(mongodb ? [] : ['mongodb']),
      ...(syncServer ? [] : ['sync-server']),
      ...(draining.aborted ? ['api'] : []),
    ];
    if (missing.length > 0) ctx.status = 503;
    return {
      ready: missing.length === 0,
      missing,
      sandbox_providers: [
        ...(env.google ? [] : ['google']),
        ...outbox.sandboxChannels,
        ...(env.payments === 'sandbox' ? ['google-pay'] : []),
        ...(isSandboxWeather(env) ? ['weather'] : []),
      ],
    };
  });

  // The gateway asks for it as /.well-known/security.txt.
  api.router.get('/security.txt', (ctx: Context) => {
    const text = securityTxt(env, new Date());
    if (text === null) throw new HttpError(404, 'Not found');
    ctx.type = 'text/plain; charset=utf-8';
    ctx.body = text;
  });

  const description = describeApi(env.PRODUCT_NAME, env.PUBLIC_ORIGIN);
  serve(api, openapi, async () => description);
}
