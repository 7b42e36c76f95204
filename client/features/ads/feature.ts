import type { ClientFeature } from '../../platform/features.ts';
import { optionalComponent } from '../../platform/lazy/lazy-component.tsx';

export const ads: ClientFeature = {
  // Failed clicks on ads are ignored.
  refusedCalls: { 'ads.click': () => null, 'ads.clickPaid': () => null },
  // If a blocker blocks the chunk, only the ad is missing.
  notices: [optionalComponent(() => import('./day-dialog.tsx'))],
};
