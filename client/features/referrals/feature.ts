import { running, type ClientFeature } from '../../platform/features.ts';
import { useReferralReport } from './use-referral-report.ts';

export const referrals: ClientFeature = {
  background: [running(useReferralReport)],
};
