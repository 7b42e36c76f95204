import type { ClientFeature } from '../../platform/features.ts';
import { lazyRoute } from '../../platform/screen-route.ts';

export const friendLinks: ClientFeature = {
  screens: [lazyRoute('/people/add/:token', () => import('./add-friend-page.tsx'))],
};
