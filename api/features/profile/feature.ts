import type { ApiFeature } from '../../platform/services.ts';
import { profileIndexes } from './collections.ts';
import { mountProfile } from './routes.ts';

export const profile: ApiFeature = {
  indexes: profileIndexes,
  mount: mountProfile,
};
