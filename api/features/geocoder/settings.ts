import { z } from 'zod';
import { optional } from '../../platform/env-fields.ts';
import type { Geocoder } from './geocoder.ts';
import { nominatim } from './nominatim.ts';
import { photon } from './photon.ts';

const GEOCODERS = {
  photon: { create: photon, url: 'https://photon.komoot.io' },
  nominatim: { create: nominatim, url: 'https://nominatim.openstreetmap.org' },
};

/** Variables of the geocoder. Without one, towns and places are found, but no addresses. */
export const geocoderVariables = {
  GEOCODER: optional
    .pipe(z.enum(['photon', 'nominatim']).optional())
    .describe('`photon` or `nominatim`: finds addresses; without, towns and places are found'),
  GEOCODER_URL: optional
    .pipe(z.url().optional())
    .meta({ description: 'Base URL of the geocoder', usually: 'the public server' }),
  GEOCODER_USER_AGENT: optional.describe(
    'User-Agent sent to the geocoder, with a contact; required with `GEOCODER`',
  ),
  GEOCODER_REQUESTS_PER_SECOND: z.coerce
    .number()
    .positive()
    .max(1_000)
    .default(1)
    .describe('By all nodes together; the public servers allow one'),
};

interface GeocoderEnv {
  GEOCODER?: keyof typeof GEOCODERS | undefined;
  GEOCODER_URL?: string | undefined;
  GEOCODER_USER_AGENT?: string | undefined;
}

export function checkGeocoderEnv(
  { GEOCODER, GEOCODER_USER_AGENT }: GeocoderEnv,
  missing: (name: string, message: string) => void,
): void {
  if (GEOCODER && !GEOCODER_USER_AGENT)
    missing('GEOCODER_USER_AGENT', 'Required with GEOCODER: the product’s name and a contact');
}

/** Returns the configured geocoder; null for none. */
export function chooseGeocoder(env: GeocoderEnv): Geocoder | null {
  if (!env.GEOCODER || !env.GEOCODER_USER_AGENT) return null;
  const { create, url } = GEOCODERS[env.GEOCODER];
  return create({ url: env.GEOCODER_URL ?? url, userAgent: env.GEOCODER_USER_AGENT });
}
