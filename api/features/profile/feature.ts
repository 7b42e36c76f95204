import type { ApiFeature } from '../../platform/services.ts';
import { profileIndexes } from './collections.ts';
import { mountProfile } from './routes.ts';
import { mountUserProfiles } from './user-profile.ts';

export const profile: ApiFeature = {
  indexes: profileIndexes,
  mount(api) {
    mountProfile(api);
    mountUserProfiles(api);
  },
};
