import { useDeferredValue, type ReactNode } from 'react';

/**
 * What a phone does not show first: drawn in slices, when all around it is on the screen. A component of its own, so
 * that nothing else is drawn again for it.
 */
export function DrawnLater({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) && children;
}
