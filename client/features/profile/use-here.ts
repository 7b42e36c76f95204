import { useCallback, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { readCache, writeCache } from '../../platform/local-cache.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { Store } from '../../platform/store.ts';
import { useSharing } from './use-sharing.ts';

const NAME = 'weather-here';
const changes = new Store();

/**
 * Returns whether this device's position may be used for weather and alerts: while location is shared, or if the owner
 * allowed only this.
 */
export function useHere(): {
  isAllowed: boolean;
  /** Whether weather and alerts were allowed separately from sharing. */
  isAllowedAlone: boolean;
  allow: (isAllowed: boolean) => void;
} {
  const user = useUser();
  const userId = user?.id ?? '';
  const isAllowedAlone = useSyncExternalStore(
    changes.subscribe,
    () => readCache(z.boolean(), userId, NAME) === true,
  );
  const allow = useCallback(
    (is: boolean) => {
      writeCache(userId, NAME, is ? true : null);
      changes.notify();
    },
    [userId],
  );
  const { isSharing } = useSharing();
  return { isAllowed: isAllowedAlone || isSharing, isAllowedAlone, allow };
}
