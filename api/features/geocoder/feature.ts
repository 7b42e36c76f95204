import type { ApiFeature } from '../../platform/services.ts';
import { geocoderIndexes } from './collections.ts';
import { mountGeocoder } from './routes.ts';

export const geocoder: ApiFeature = {
  indexes: geocoderIndexes,
  mount: mountGeocoder,
};
