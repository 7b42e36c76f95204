import { running, type ClientFeature } from '../../platform/features.ts';
import { lazyRoute } from '../../platform/screen-route.ts';
import { placePhotosOf } from './place/photo-outbox.ts';
import { undecidedPlacesOf } from './undecided-places.ts';
import { useOpenedPlaces } from './use-opened-places.ts';

export const locations: ClientFeature = {
  unsent: [
    { kind: 'pictures', of: placePhotosOf },
    { kind: 'actions', of: undecidedPlacesOf },
  ],
  refusedCalls: {
    // Its screen may be closed by then.
    'locations.visit': (_, { call }, failure) => ({
      ...failure,
      title: `Failed to record visit: ${call.label}`,
      description: failure.title,
    }),
    async 'locations.create'(userId, outcome, failure) {
      const { savePendingDuplicate } = await import('./place/pending-duplicates.ts');
      if (!savePendingDuplicate(userId, outcome)) return failure;
      // Nothing is lost: it is asked about.
      const { written: _, ...kept } = failure;
      return { ...kept, isError: false };
    },
  },
  screens: [lazyRoute('/locations', () => import('./locations-page.tsx'))],
  background: [running(useOpenedPlaces)],
};
