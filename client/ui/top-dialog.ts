import { useSyncExternalStore } from 'react';

let open: readonly HTMLElement[] = [];
const listeners = new Set<() => void>();

function put(next: readonly HTMLElement[]): void {
  open = next;
  for (const listener of listeners) listener();
}

/** The ref of an open dialog: it is the uppermost until it goes, or another opens over it. */
export function asTopDialog(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined;
  put([...open, element]);
  return () => put(open.filter((each) => each !== element));
}

/** The uppermost open dialog, or null. */
export function useTopDialog(): HTMLElement | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => open.at(-1) ?? null,
  );
}
