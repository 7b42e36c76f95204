import type { ApiFeature } from '../../platform/services.ts';
import { charityIndexes } from './collections.ts';
import { charityData } from './personal-data.ts';
import { mountCharities } from './routes.ts';

export const charities: ApiFeature = {
  indexes: charityIndexes,
  personalData: [charityData],
  mount: mountCharities,
};
