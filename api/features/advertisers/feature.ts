import type { ApiFeature } from '../../platform/services.ts';
import { advertiserIndexes } from './collections.ts';
import { advertiserData } from './personal-data.ts';
import { mountAdvertisers } from './routes.ts';

export const advertisers: ApiFeature = {
  indexes: advertiserIndexes,
  personalData: [advertiserData],
  mount: mountAdvertisers,
};
