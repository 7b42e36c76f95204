import type { ApiFeature } from '../../platform/services.ts';
import { adIndexes } from './collections.ts';
import { mountAds } from './routes.ts';
import { mountAdvertisements } from './admin-routes.ts';

export const ads: ApiFeature = {
  indexes: adIndexes,
  mount(api) {
    mountAds(api);
    mountAdvertisements(api);
  },
};
