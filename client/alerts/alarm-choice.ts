import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { readKept, writeKept } from '../kept.ts';

const NAME = 'alarm';
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether severe alerts are to be heard on this device; they are unless its owner said no. */
export const isAlarmOn = (userId: string): boolean => readKept(z.boolean(), userId, NAME) ?? true;

export function setAlarm(userId: string, isOn: boolean): void {
  writeKept(userId, NAME, isOn);
  for (const listener of listeners) listener();
}

/** The same, as it changes. */
export const useAlarmOn = (userId: string): boolean =>
  useSyncExternalStore(subscribe, () => isAlarmOn(userId));
