import type { ClientFeature } from '../../platform/features.ts';
import { optionalComponent } from '../../platform/lazy/lazy-component.tsx';
import { lazyRoute } from '../../platform/screen-route.ts';

export const plannedWalks: ClientFeature = {
  screens: [lazyRoute('/walks/planned', () => import('./planned-walks-page.tsx'))],
  notices: [optionalComponent(() => import('./planned-walk-notices.tsx'))],
};
