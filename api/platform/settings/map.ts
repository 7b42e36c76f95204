import { z } from 'zod';
import { NO_TILES, OPENSTREETMAP, tileSource } from '#shared/locations/tiles.ts';
import { optional } from '../env-fields.ts';

/** Variables of the map: its tiles (`none` for none) and their attribution. */
export const mapVariables = {
  TILE_URL: optional
    .refine(
      (url) => url === undefined || url === NO_TILES || tileSource(url) !== null,
      'Must be "none" or an https URL with {x}, {y} and {z}',
    )
    .meta({
      description: 'Map tiles: an https URL with {z}, {x} and {y} ({s} for subdomains), or `none`',
      usually: 'OpenStreetMap, whose terms don’t allow heavy use',
    }),
  TILE_ATTRIBUTION: optional.meta({ description: 'Their attribution', usually: 'their host' }),
  TILE_ATTRIBUTION_URL: optional.pipe(z.url().optional()).describe('A link for it'),
};

interface MapEnv {
  TILE_URL?: string | undefined;
  TILE_ATTRIBUTION?: string | undefined;
  TILE_ATTRIBUTION_URL?: string | undefined;
}

/** Returns the map tiles; null for none. */
export function tilesOf(env: MapEnv) {
  const { TILE_URL: url, TILE_ATTRIBUTION, TILE_ATTRIBUTION_URL } = env;
  if (url === NO_TILES) return null;
  if (url === undefined) return OPENSTREETMAP;
  return {
    url,
    attribution: TILE_ATTRIBUTION ?? new URL(url.replace('{s}.', '')).host,
    attribution_url: TILE_ATTRIBUTION_URL ?? null,
  };
}
