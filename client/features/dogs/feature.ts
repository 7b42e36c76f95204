import type { ClientFeature } from '../../platform/features.ts';
import { lazyRoute } from '../../platform/screen-route.ts';

export const dogs: ClientFeature = {
  screens: [lazyRoute('/dogs', () => import('./dogs-page.tsx'))],
};
