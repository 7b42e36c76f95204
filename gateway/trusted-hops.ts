import { z } from 'zod';

const MAX_HOPS = 10;

/** TRUST_PROXY: `false`, `true` for one proxy, or how many proxies a request passes before the gateway. */
export const trustedHops = z
  .union([
    z.stringbool().transform(Number),
    z.string().regex(/^\d+$/).transform(Number).pipe(z.number().max(MAX_HOPS)),
  ])
  .default(0);
