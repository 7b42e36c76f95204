import type { ClientFeature } from '../../platform/features.ts';
import { overlayDialog } from '../../platform/lazy/overlay-dialog.tsx';
import { MutedTabNotice } from './components/muted-tab-notice.tsx';
import { ProximityAlert } from './components/proximity-alert.tsx';
import { ProximityProvider } from './proximity-provider.tsx';

export const proximity: ClientFeature = {
  Provider: ProximityProvider,
  overlays: {
    'test-alerts': overlayDialog(() => import('./components/alert-tester.tsx'), {
      title: 'Test Alerts',
      description: 'Hear and feel an alert before you need one.',
    }),
  },
  banners: [ProximityAlert, MutedTabNotice],
};
