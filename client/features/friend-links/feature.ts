import type { ClientFeature } from '../../platform/features.ts';
import { lazyScreen } from '../../platform/lazy/lazy-component.tsx';

export const friendLinks: ClientFeature = {
  screens: { '/people/add/:token': lazyScreen(() => import('./add-friend-page.tsx')) },
};
