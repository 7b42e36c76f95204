import type { ApiFeature } from '../../platform/services.ts';
import { plannedWalkIndexes } from './collections.ts';
import { mountPlannedWalks } from './routes.ts';

export const plannedWalks: ApiFeature = {
  indexes: plannedWalkIndexes,
  mount: mountPlannedWalks,
};
