import type { ApiFeature } from '../../platform/services.ts';
import { plannedWalkIndexes } from './collections.ts';
import { plannedWalkPushes } from './pushes.ts';
import { mountPlannedWalks } from './routes.ts';

export const plannedWalks: ApiFeature = {
  indexes: plannedWalkIndexes,
  pushes: plannedWalkPushes,
  mount: mountPlannedWalks,
};
