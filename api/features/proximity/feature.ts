import type { ApiFeature } from '../../platform/services.ts';
import { proximityIndexes } from './collections.ts';
import { mountProximity } from './routes.ts';

export const proximity: ApiFeature = {
  indexes: proximityIndexes,
  mount: mountProximity,
};
