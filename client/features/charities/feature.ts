import type { ClientFeature } from '../../platform/features.ts';
import { lazyRoute } from '../../platform/screen-route.ts';
import { writeDraft } from './application-draft.ts';

export const charities: ClientFeature = {
  refusedCalls: {
    'charities.donate'(_, { refusal }) {
      console.error('Failed to record donation', refusal);
      return null;
    },
  },
  // Forms of visitors are not stored by user.
  forget: () => writeDraft(null),
  screens: [
    lazyRoute('/community', () => import('./community-page.tsx')),
    lazyRoute('/charities/:id', () => import('./page/member-charity-page.tsx')),
  ],
};
