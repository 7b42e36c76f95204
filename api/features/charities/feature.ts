import type { ApiFeature } from '../../platform/services.ts';
import { charityIndexes } from './collections.ts';
import { mountCharities } from './routes.ts';

export const charities: ApiFeature = {
  indexes: charityIndexes,
  mount: mountCharities,
};
