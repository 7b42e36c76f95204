import type { ClientFeature } from '../../platform/features.ts';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import { lazyRoute } from '../../platform/screen-route.ts';
import { clearWalkPause } from '../proximity/walk-pause.ts';
import { formatWalks } from './format.ts';
import { POCKET } from './pocket/pocket-address.ts';
import { keepWalks } from './stored-walks.ts';
import { walksOf } from './walk-history.ts';
import { WalkRecording } from './walk-recording.tsx';
import { isWorthStoring } from './walk.ts';
import { walksFile } from './walks-file.ts';
import { WalksTogether } from './walks-together.tsx';

export const walks: ClientFeature = {
  onlyHere: {
    of(documents) {
      const history = walksOf(documents);
      return {
        subscribe: history.subscribe,
        count: () => history.getAll()?.filter((walk) => isWorthStoring(walk, true)).length ?? null,
      };
    },
    title: 'Log out and delete your walks?',
    sentence: (count) =>
      `${formatWalks(count)} will be deleted, because walks are stored on this device only. Export them, or keep them here for your next sign-in.`,
    async keep(documents) {
      const history = walksOf(documents);
      await history.loaded;
      await keepWalks(documents.userId, history.getAll() ?? []);
    },
    async file(documents) {
      const history = walksOf(documents);
      await history.loaded;
      const all = history.getAll() ?? [];
      return all.length > 0 ? walksFile(all) : null;
    },
  },
  forget: clearWalkPause,
  screens: [
    lazyRoute('/walks', () => import('./history/walks-page.tsx')),
    lazyRoute('/walks/:walkId', () => import('./history/walk-page.tsx')),
  ],
  overlays: { [POCKET]: lazyComponent(() => import('./pocket/pocket-mode.tsx')) },
  personFacts: [WalksTogether],
  banners: [WalkRecording],
};
