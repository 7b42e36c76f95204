import type { ApiFeature } from '../../platform/services.ts';
import { advertiserIndexes } from './collections.ts';
import { mountAdvertisers } from './routes.ts';

export const advertisers: ApiFeature = {
  indexes: advertiserIndexes,
  mount: mountAdvertisers,
};
