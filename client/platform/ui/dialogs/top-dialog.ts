import { useSyncExternalStore } from 'react';
import { ValueStore } from '../../store.ts';

const open = new ValueStore<readonly HTMLElement[]>([]);

/** The ref of an open dialog, which makes it the topmost until it closes or another opens above it. */
export function asTopDialog(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  open.set([...open.get(), element]);
  return () => open.set(open.get().filter((each) => each !== element));
}

/** Returns the topmost open dialog, or null. */
export function useTopDialog(): HTMLElement | null {
  return useSyncExternalStore(open.subscribe, () => open.get().at(-1) ?? null);
}
