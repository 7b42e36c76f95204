import type { ApiFeature } from '../../platform/services.ts';
import { referralIndexes } from './collections.ts';
import { mountReferrals } from './routes.ts';

export const referrals: ApiFeature = {
  indexes: referralIndexes,
  mount: mountReferrals,
};
