import { running, type ClientFeature } from '../../platform/features.ts';
import { unsubscribeDevice } from './unsubscribe-device.ts';
import { PushCompanion } from './push-companion.tsx';
import { useOpenedPages } from './use-opened-pages.ts';

export const push: ClientFeature = {
  forget: () =>
    unsubscribeDevice().catch((error: unknown) =>
      console.error('Failed to unsubscribe from notifications', error),
    ),
  notices: [PushCompanion],
  background: [running(useOpenedPages)],
};
