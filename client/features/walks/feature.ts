import type { ClientFeature } from '../../platform/features.ts';
import { formatWalks } from './format.ts';
import { walksOf } from './walk-history.ts';
import { clearWalkPause } from './walk-pause.ts';
import { isWorthStoring } from './walk.ts';

export const walks: ClientFeature = {
  onlyHere: {
    of(documents) {
      const history = walksOf(documents);
      return {
        subscribe: history.subscribe,
        count: () => history.getAll()?.filter((walk) => isWorthStoring(walk, true)).length ?? 0,
      };
    },
    title: 'Log out and delete your walks?',
    sentence: (count) =>
      `${formatWalks(count)} will be deleted, because walks are stored on this device only. Export them first to keep them.`,
  },
  forget: clearWalkPause,
};
