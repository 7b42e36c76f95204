import type { ClientFeature } from '../../platform/features.ts';
import { MutedTabNotice } from './components/muted-tab-notice.tsx';
import { ProximityAlert } from './components/proximity-alert.tsx';
import { ProximityProvider } from './proximity-provider.tsx';

export const proximity: ClientFeature = {
  Provider: ProximityProvider,
  banners: [ProximityAlert, MutedTabNotice],
};
