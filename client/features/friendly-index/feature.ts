import type { ClientFeature } from '../../platform/features.ts';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';

export const friendlyIndex: ClientFeature = {
  overlays: { index: lazyComponent(() => import('./index-modal.tsx')) },
};
