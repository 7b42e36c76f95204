import type { ApiFeature } from '../../platform/services.ts';
import { friendIndexes } from '../relationships/collections.ts';
import { relationshipData } from './personal-data.ts';
import { friendPushes } from './pushes.ts';
import { mountFriends } from './routes.ts';
import { mountUserProfiles } from './user-profile.ts';

export const friends: ApiFeature = {
  indexes: friendIndexes,
  personalData: [relationshipData],
  pushes: friendPushes,
  mount(api) {
    mountFriends(api);
    mountUserProfiles(api);
  },
};
