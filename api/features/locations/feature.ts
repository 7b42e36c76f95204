import type { ApiFeature } from '../../platform/services.ts';
import { locationIndexes } from './collections.ts';
import { locationData } from './personal-data.ts';
import { mountLocations } from './routes.ts';

export const locations: ApiFeature = {
  indexes: locationIndexes,
  personalData: [locationData],
  mount: mountLocations,
};
