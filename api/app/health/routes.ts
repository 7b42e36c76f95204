import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from 'koa';
import { health, openapi } from '#shared/health/contract.ts';
import { HttpError } from '#shared/http/http-error.ts';
import { READY_HELP } from '#shared/server/metrics.ts';
import { isSandboxWeather } from '../../features/weather/choose-provider.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api, Services } from '../../platform/services.ts';
import { observeOperations } from './observe-operations.ts';
import { describeApi } from './openapi.ts';
import { securityTxt } from './security-txt.ts';

const PING_MS = 1_500;
/** Busy nodes are late together. Shorter than `health_timeout` in the Caddyfile. */
const NODE_PING_MS = 4_000;

/** Returns the providers that this installation simulates. */
export const sandboxProviders = ({ env, mailQueue }: Services): string[] => [
  ...(env.google ? [] : ['google']),
  ...mailQueue.sandboxChannels,
  ...(env.payments === 'sandbox' ? ['google-pay'] : []),
  ...(isSandboxWeather(env) ? ['weather'] : []),
];

/** The health check, security.txt, the OpenAPI description, and metrics about operations. */
export function mountHealth(api: Api): void {
  observeOperations(api.services);
  const { env, draining, db, documents, metrics } = api.services;

  /** The driver itself waits longer for a server that it can't reach. */
  const mongodbAnswers = (ms: number): Promise<boolean> =>
    Promise.race([
      db.command({ ping: 1 }, { timeoutMS: ms }).then(
        () => true,
        () => false,
      ),
      wait(ms, false),
    ]);

  const missingParts = async (ofNode = false) => {
    // At once: balancers have two seconds to notice.
    if (draining.aborted) return ['api'];
    const [mongodb, syncServer] = await Promise.all([
      mongodbAnswers(ofNode ? NODE_PING_MS : PING_MS),
      ofNode || documents.isReady(),
    ]);
    return [...(mongodb ? [] : ['mongodb']), ...(syncServer ? [] : ['sync-server'])];
  };
  metrics.gauge('ready', READY_HELP, async () => Number((await missingParts()).length === 0));

  serve(api, health, async ({ ctx, query }) => {
    const missing = await missingParts(query.node);
    if (missing.length > 0) ctx.status = 503;
    return {
      ready: missing.length === 0,
      missing,
      sandbox_providers: sandboxProviders(api.services),
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
