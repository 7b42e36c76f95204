import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { readCache, writeCache } from '../local-cache.ts';
import { useSharing } from '../profile/use-sharing.ts';
import { useUser } from '../session/use-auth.tsx';
import { Store } from '../store.ts';
import { useDocument } from '../sync/documents/use-document.ts';

const NAME = 'walking';

/** Which users walk with this device, in any tab of the browser. */
class WalksHere extends Store {
  /** Only where the browser stores nothing. */
  readonly #unstored = new Set<string>();

  has(userId: string): boolean {
    return this.#unstored.has(userId) || readCache(z.boolean(), userId, NAME) === true;
  }

  set(userId: string, isWalking: boolean): void {
    this.#unstored.delete(userId);
    writeCache(userId, NAME, isWalking || null);
    if (isWalking && !this.has(userId)) this.#unstored.add(userId);
    this.notify();
  }
}
const walksHere = new WalksHere();

/** Follows this tab and the other tabs. @returns how to unsubscribe */
function follow(listener: () => void): () => void {
  const unsubscribe = walksHere.subscribe(listener);
  const onStorage = ({ key }: StorageEvent) => (key === null || key.endsWith(NAME)) && listener();
  addEventListener('storage', onStorage);
  return () => {
    unsubscribe();
    removeEventListener('storage', onStorage);
  };
}

/**
 * Returns whether the owner walks with this device, and sets it. The setting on all devices says whether they may share their
 * location; a walk starts only where somebody starts it.
 */
export function useWalking(): { isWalking: boolean; setWalking: (isWalking: boolean) => void } {
  const userId = useUser()?.id ?? '';
  const { isSharing, saveSharing } = useSharing();
  const isHere = useSyncExternalStore(follow, () => walksHere.has(userId));
  const setWalking = useCallback(
    (isWalking: boolean) => {
      // A walk starts even if sharing is on: ending one on another device at the same moment doesn't end it.
      if (isWalking || isSharing) saveSharing(isWalking);
      walksHere.set(userId, isWalking);
    },
    [userId, isSharing, saveSharing],
  );
  return { isWalking: isHere && isSharing, setWalking };
}

/** Ends the walk of this device when sharing is turned off on another one, or was while this app was closed. */
export function useEndedElsewhere(): void {
  const userId = useUser()?.id ?? '';
  const { isSharing } = useSharing();
  const { status } = useDocument('account');
  /** Null until it is known: a walk that starts here is known before its setting is. */
  const wasSharing = useRef<boolean | null>(null);
  useEffect(() => {
    if (status !== 'ready') return;
    if (!isSharing && wasSharing.current !== false) walksHere.set(userId, false);
    wasSharing.current = isSharing;
  }, [userId, status, isSharing]);
}
