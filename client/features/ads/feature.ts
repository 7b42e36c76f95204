import type { ClientFeature } from '../../platform/features.ts';

export const ads: ClientFeature = {
  // Failed clicks on ads are ignored.
  refusedCalls: { 'ads.click': () => null, 'ads.clickPaid': () => null },
};
