import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { OPENSTREETMAP, tileSource } from '#shared/locations/tiles.ts';
import { serverVariables } from '#shared/server/server-env.ts';
import { caddySnippet } from './caddy-snippet.ts';

/** Writes the page headers for Caddy before it starts: `node dist/servers/caddy-headers.js <file>`. */
const env = z
  .object({
    PUBLIC_ORIGIN: serverVariables.PUBLIC_ORIGIN,
    STRIPE_PUBLISHABLE_KEY: z.string().optional(),
    TILE_URL: z.string().optional(),
  })
  .parse(process.env);
const file = process.argv[2];
if (!file) throw new Error('Usage: caddy-headers.js <file>');
const sources = {
  googlePay: Boolean(env.STRIPE_PUBLISHABLE_KEY),
  tileSource: tileSource(env.TILE_URL || OPENSTREETMAP.url),
};
writeFileSync(file, caddySnippet(env.PUBLIC_ORIGIN, sources));
