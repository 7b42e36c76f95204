import { z } from 'zod';
import { optional } from '../env-fields.ts';

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

export interface GeocoderEnv {
  GEOCODER?: 'photon' | 'nominatim' | undefined;
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
