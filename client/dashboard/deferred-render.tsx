import { useDeferredValue, type ReactNode } from 'react';

/**
 * Renders its children after the first paint. A separate component, so that nothing else renders again.
 */
export function DrawnLater({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) && children;
}
