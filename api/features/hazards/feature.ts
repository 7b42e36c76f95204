import type { ApiFeature } from '../../platform/services.ts';
import { hazardIndexes } from './collections.ts';
import { hazardData } from './personal-data.ts';
import { hazardPushes } from './pushes.ts';
import { mountHazards } from './routes.ts';

export const hazards: ApiFeature = {
  indexes: hazardIndexes,
  personalData: [hazardData],
  pushes: hazardPushes,
  mount: mountHazards,
};
