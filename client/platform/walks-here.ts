import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { DeviceValue } from './device-value.ts';
import { useUser } from './session/use-auth.tsx';

/** Whether a user walks with this device. The walks set it; other features only ask. */
export const walksHere = new DeviceValue('walking', z.boolean());

/** Whether the owner has started a walk with this device, so that a tab of it warns. */
export function useWalksHere(): boolean {
  const userId = useUser()?.id ?? '';
  return useSyncExternalStore(walksHere.follow, () => walksHere.text(userId)) === 'true';
}
