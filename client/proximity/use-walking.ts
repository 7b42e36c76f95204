import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { z } from 'zod';
import { useSharing } from '../profile/use-sharing.ts';
import { useUser } from '../session/use-auth.tsx';
import { useDocument } from '../sync/documents/use-document.ts';
import { DeviceValue } from './device-value.ts';

/** Whether a user walks with this device. */
const walksHere = new DeviceValue('walking', z.boolean());

/**
 * Returns whether the owner walks with this device, and sets it. The setting on all devices says whether they may share their
 * location; a walk starts only where somebody starts it.
 */
export function useWalking(): { isWalking: boolean; setWalking: (isWalking: boolean) => void } {
  const userId = useUser()?.id ?? '';
  const { isSharing, saveSharing } = useSharing();
  const isHere = useSyncExternalStore(walksHere.follow, () => walksHere.text(userId)) === 'true';
  const setWalking = useCallback(
    (isWalking: boolean) => {
      // A walk starts even if sharing is on: ending one on another device at the same moment doesn't end it.
      if (isWalking || isSharing) saveSharing(isWalking);
      walksHere.set(userId, isWalking || null);
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
    if (!isSharing && wasSharing.current !== false) walksHere.set(userId, null);
    wasSharing.current = isSharing;
  }, [userId, status, isSharing]);
}
