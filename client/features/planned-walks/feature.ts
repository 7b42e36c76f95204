import type { ClientFeature } from '../../platform/features.ts';
import { lazyScreen, optionalComponent } from '../../platform/lazy/lazy-component.tsx';

export const plannedWalks: ClientFeature = {
  screens: { '/walks/planned': lazyScreen(() => import('./planned-walks-page.tsx')) },
  notices: [optionalComponent(() => import('./planned-walk-notices.tsx'))],
};
