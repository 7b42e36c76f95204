import type { ApiFeature } from '../../platform/services.ts';
import { locationIndexes } from './collections.ts';
import { mountLocations } from './routes.ts';

export const locations: ApiFeature = {
  indexes: locationIndexes,
  mount: mountLocations,
};
