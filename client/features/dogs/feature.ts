import type { ClientFeature } from '../../platform/features.ts';
import { lazyScreen } from '../../platform/lazy/lazy-component.tsx';

export const dogs: ClientFeature = {
  screens: { '/dogs': lazyScreen(() => import('./dogs-page.tsx')) },
};
