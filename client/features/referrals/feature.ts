import { running, type ClientFeature } from '../../platform/features.ts';
import { overlayDialog } from '../../platform/lazy/overlay-dialog.tsx';
import { useReferralReport } from './use-referral-report.ts';

export const referrals: ClientFeature = {
  overlays: {
    'refer-friends': overlayDialog(() => import('./refer-friends.tsx'), {
      title: 'Refer Friends',
      description: 'The more owners share, the sooner everyone knows who’s coming.',
    }),
  },
  background: [running(useReferralReport)],
};
