import { join } from 'node:path';
import { z } from 'zod';
import { OPENSTREETMAP, tileSource } from '#shared/locations/tiles.ts';
import { isLoopbackOrigin } from '#shared/server/public-origin.ts';
import { runServer } from '#shared/server/run-server.ts';
import { refuseExposedSandbox } from '#shared/server/server-env.ts';
import { startGateway } from './server.ts';
import { gatewayVariables } from './variables.ts';

const env = z.object(gatewayVariables).parse(process.env);
refuseExposedSandbox(env);

await runServer(
  () =>
    startGateway({
      port: env.PORT,
      hosts: env.HOST ? [env.HOST] : ['127.0.0.1', '::1'],
      clientDir: join(import.meta.dirname, '../dist/client'),
      apiPorts: env.API_PORT,
      syncPorts: env.SYNC_PORT,
      trustedHops: env.TRUST_PROXY,
      metricsPort: env.METRICS_PORT,
      publicOrigin: env.PUBLIC_ORIGIN,
      isLocalOnly: env.ALLOW_SANDBOX === undefined && isLoopbackOrigin(env.PUBLIC_ORIGIN),
      googlePay: Boolean(env.STRIPE_PUBLISHABLE_KEY),
      tileSource: tileSource(env.TILE_URL || OPENSTREETMAP.url),
    }),
  () => ({ port: env.PORT }),
);
