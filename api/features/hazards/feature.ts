import type { ApiFeature } from '../../platform/services.ts';
import { hazardIndexes } from './collections.ts';
import { mountHazards } from './routes.ts';

export const hazards: ApiFeature = {
  indexes: hazardIndexes,
  mount: mountHazards,
};
