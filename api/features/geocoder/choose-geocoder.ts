import type { GeocoderEnv } from '../../platform/settings/geocoder.ts';
import type { Geocoder } from './geocoder.ts';
import { nominatim } from './nominatim.ts';
import { photon } from './photon.ts';

const GEOCODERS = {
  photon: { create: photon, url: 'https://photon.komoot.io' },
  nominatim: { create: nominatim, url: 'https://nominatim.openstreetmap.org' },
};

/** Returns the configured geocoder; null for none. */
export function chooseGeocoder(env: GeocoderEnv): Geocoder | null {
  if (!env.GEOCODER || !env.GEOCODER_USER_AGENT) return null;
  const { create, url } = GEOCODERS[env.GEOCODER];
  return create({ url: env.GEOCODER_URL ?? url, userAgent: env.GEOCODER_USER_AGENT });
}
