import { useCallback, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { readCache, writeCache } from '../local-cache.ts';
import { useSharing } from '../profile/use-sharing.ts';
import { useUser } from '../session/use-auth.tsx';
import { Store } from '../store.ts';

const NAME = 'weather-here';
const changes = new Store();

/**
 * Whether this device may be asked where it is for the weather and the alerts there: while location is shared, or after the
 * owner allowed just this.
 */
export function useHere(): {
  isAllowed: boolean;
  /** Whatever is shared. */
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
