import type { ApiFeature } from '../../platform/services.ts';
import { plannedWalkIndexes } from './collections.ts';
import { plannedWalkData } from './personal-data.ts';
import { plannedWalkPushes } from './pushes.ts';
import { mountPlannedWalks } from './routes.ts';

export const plannedWalks: ApiFeature = {
  indexes: plannedWalkIndexes,
  personalData: [plannedWalkData],
  pushes: plannedWalkPushes,
  mount: mountPlannedWalks,
};
