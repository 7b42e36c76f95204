import type { ClientFeature } from '../../platform/features.ts';
import { lazyScreen } from '../../platform/lazy/lazy-component.tsx';
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
  screens: {
    '/community': lazyScreen(() => import('./community-page.tsx')),
    '/charities/:id': lazyScreen(() => import('./page/member-charity-page.tsx')),
  },
};
