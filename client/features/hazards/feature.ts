import type { ClientFeature } from '../../platform/features.ts';
import { optionalComponent } from '../../platform/lazy/lazy-component.tsx';

export const hazards: ClientFeature = {
  notices: [optionalComponent(() => import('./hazard-notices.tsx'))],
};
