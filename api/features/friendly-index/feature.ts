import type { ApiFeature } from '../../platform/services.ts';
import { friendlyIndexIndexes } from './collections.ts';
import { mountFriendlyIndex } from './routes.ts';

export const friendlyIndex: ApiFeature = {
  indexes: friendlyIndexIndexes,
  mount: mountFriendlyIndex,
};
