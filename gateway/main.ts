import { join } from 'node:path';
import { OPENSTREETMAP, tileSource } from '#shared/locations/tiles.ts';
import { isLoopbackOrigin } from '#shared/server/public-origin.ts';
import { runServer } from '#shared/server/run-server.ts';
import { refuseExposedSandbox, serverVariables } from '#shared/server/server-env.ts';
import { z } from 'zod';
import { startGateway } from './server.ts';
import { trustedHops } from './trusted-hops.ts';

const port = z.coerce.number().int().min(1).max(65_535);
/** Of one or several nodes on this machine, separated by commas. */
const ports = z
  .string()
  .transform((value): unknown[] => value.split(','))
  .pipe(z.array(port));
const env = z
  .object({
    PORT: port.default(3000),
    ...serverVariables,
    /** By default, this machine only: the sandbox sign-in lets anyone in. */
    HOST: z.string().min(1).optional(),
    API_PORT: ports,
    SYNC_PORT: ports,
    TRUST_PROXY: trustedHops,
    /** Set if payments go through Stripe, with Google Pay. */
    STRIPE_PUBLISHABLE_KEY: z.string().optional(),
    /** The address of the map tiles; `none` for a map without them. */
    TILE_URL: z.string().optional(),
  })
  .parse(process.env);
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
