import { join } from 'node:path';
import type { z } from 'zod';
import { OPENSTREETMAP, tileSource } from '#shared/locations/tiles.ts';
import { isLoopbackOrigin } from '#shared/server/public-origin.ts';
import { refuseExposedSandbox } from '#shared/server/server-env.ts';
import type { gatewayEnv } from './variables.ts';

/** Returns what the environment says of what browsers talk to. @throws when strangers could use sandbox providers */
export function gatewaySettings(env: z.output<typeof gatewayEnv>) {
  refuseExposedSandbox(env);
  return {
    port: env.PORT,
    hosts: env.HOST ? [env.HOST] : ['127.0.0.1', '::1'],
    clientDir: join(import.meta.dirname, '../dist/client'),
    trustedHops: env.TRUST_PROXY,
    publicOrigin: env.PUBLIC_ORIGIN,
    isLocalOnly: env.ALLOW_SANDBOX === undefined && isLoopbackOrigin(env.PUBLIC_ORIGIN),
    googlePay: Boolean(env.STRIPE_PUBLISHABLE_KEY),
    tileSource: tileSource(env.TILE_URL || OPENSTREETMAP.url),
  };
}
