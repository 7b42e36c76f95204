import { z } from 'zod';
import { serverVariables } from '#shared/server/server-env.ts';
import { trustedHops } from './trusted-hops.ts';

const port = z.coerce.number().int().min(1).max(65_535);
/** Of one or several nodes on this machine, separated by commas. */
const ports = z
  .string()
  .transform((value): unknown[] => value.split(','))
  .pipe(z.array(port));

/** Variables of the gateway of `npm start`. */
export const gatewayVariables = {
  PORT: port.default(3000).describe('Public port'),
  ...serverVariables,
  /** By default, this machine only: the sandbox sign-in lets anyone in. */
  HOST: z.string().min(1).optional(),
  API_PORT: ports,
  SYNC_PORT: ports,
  TRUST_PROXY: trustedHops.describe(
    'How many reverse proxies before this one add to `X-Forwarded-For`; `true` is one. The caller’s address is what the outermost saw',
  ),
  /** Set if payments go through Stripe, with Google Pay. */
  STRIPE_PUBLISHABLE_KEY: z.string().optional(),
  /** The address of the map tiles; `none` for a map without them. */
  TILE_URL: z.string().optional(),
};

export const gatewayEnv = z.object(gatewayVariables);
