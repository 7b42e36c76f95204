import type { ClientFeature } from '../../platform/features.ts';
import { unsubscribeDevice } from './unsubscribe-device.ts';

export const push: ClientFeature = {
  forget: () =>
    unsubscribeDevice().catch((error: unknown) =>
      console.error('Failed to unsubscribe from notifications', error),
    ),
};
