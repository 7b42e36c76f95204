import { running, type ClientFeature } from '../../platform/features.ts';
import { lazyComponent, optionalComponent } from '../../platform/lazy/lazy-component.tsx';
import { PushCompanion } from './push-companion.tsx';
import { unsubscribeDevice } from './unsubscribe-device.ts';
import { ACTIVITY_OPEN } from './use-activity.ts';
import { useOpenedPages } from './use-opened-pages.ts';

export const push: ClientFeature = {
  forget: () =>
    unsubscribeDevice().catch((error: unknown) =>
      console.error('Failed to unsubscribe from notifications', error),
    ),
  buttons: [optionalComponent(() => import('./activity-bell.tsx'))],
  notices: [PushCompanion],
  overlays: { [ACTIVITY_OPEN]: lazyComponent(() => import('./activity-modal.tsx')) },
  background: [running(useOpenedPages)],
};
