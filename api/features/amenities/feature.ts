import type { ApiFeature } from '../../platform/services.ts';
import { amenityIndexes } from './collections.ts';
import { mountAmenities } from './routes.ts';

export const amenities: ApiFeature = {
  indexes: amenityIndexes,
  mount: mountAmenities,
};
