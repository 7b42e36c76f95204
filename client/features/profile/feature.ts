import type { ClientFeature } from '../../platform/features.ts';
import { lazyComponent, lazyScreen } from '../../platform/lazy/lazy-component.tsx';
import { PROFILE_OPEN } from '../card/profile-link.tsx';

export const profile: ClientFeature = {
  screens: { '/people/:userId': lazyScreen(() => import('./person-page.tsx')) },
  overlays: { [PROFILE_OPEN.open]: lazyComponent(() => import('./profile-modal.tsx')) },
};
