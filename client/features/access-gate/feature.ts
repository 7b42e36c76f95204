import type { ClientFeature } from '../../platform/features.ts';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import { RENEW_OPEN } from './renewal.ts';

export const accessGate: ClientFeature = {
  overlays: { [RENEW_OPEN]: lazyComponent(() => import('./renewal-modal.tsx')) },
};
