import type { ClientFeature } from '../../platform/features.ts';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import { lazyRoute } from '../../platform/screen-route.ts';
import { PROFILE_OPEN } from '../card/profile-link.tsx';

export const profile: ClientFeature = {
  screens: [lazyRoute('/people/:userId', () => import('./person-page.tsx'))],
  overlays: { [PROFILE_OPEN.open]: lazyComponent(() => import('./profile-modal.tsx')) },
};
