import type { ApiFeature } from '../../platform/services.ts';
import { proximityIndexes } from './collections.ts';
import { walkPushes } from './pushes.ts';
import { mountProximity } from './routes.ts';

export const proximity: ApiFeature = {
  indexes: proximityIndexes,
  pushes: walkPushes,
  mount: mountProximity,
};
