import type { ClientFeature } from '../../platform/features.ts';
import { lazyRoute } from '../../platform/screen-route.ts';

export const gear: ClientFeature = {
  screens: [lazyRoute('/gear', () => import('./gear-page.tsx'))],
};
