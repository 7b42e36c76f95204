import type { ApiFeature } from '../../platform/services.ts';
import { referralIndexes } from './collections.ts';
import { referralData } from './personal-data.ts';
import { referralPushes } from './pushes.ts';
import { mountReferrals } from './routes.ts';

export const referrals: ApiFeature = {
  indexes: referralIndexes,
  personalData: [referralData],
  pushes: referralPushes,
  mount: mountReferrals,
};
