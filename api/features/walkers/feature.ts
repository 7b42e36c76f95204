import type { ApiFeature } from '../../platform/services.ts';
import { walkerIndexes } from './collections.ts';
import { mountWalkers } from './routes.ts';

export const walkers: ApiFeature = {
  indexes: walkerIndexes,
  mount: mountWalkers,
};
