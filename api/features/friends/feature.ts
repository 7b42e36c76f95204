import type { ApiFeature } from '../../platform/services.ts';
import { friendIndexes } from './collections.ts';
import { mountFriends } from './routes.ts';

export const friends: ApiFeature = {
  indexes: friendIndexes,
  mount: mountFriends,
};
