import { useDeferredValue, type ReactNode } from 'react';

/**
 * What has nothing to say at first: drawn when all around it is on the screen. A component of its own, so that nothing
 * else is drawn again for it.
 */
export function DrawnLater({ children }: { children: ReactNode }) {
  return useDeferredValue(true, false) && children;
}
