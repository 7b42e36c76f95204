import type { ApiFeature } from '../../platform/services.ts';
import { mountAdvertisements } from './admin-routes.ts';
import { adIndexes } from './collections.ts';
import { mountAds } from './routes.ts';

export const ads: ApiFeature = {
  indexes: adIndexes,
  mount(api) {
    mountAds(api);
    mountAdvertisements(api);
  },
};
