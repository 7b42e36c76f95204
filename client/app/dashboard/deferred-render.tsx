import { useDeferredValue, useEffect, type ReactNode } from 'react';

let isPainted = false;

/**
 * Renders its children after the first paint of the page, so that the rest of the screen can be used sooner. Later screens render
 * them at once. A separate component, so that nothing else renders again.
 */
export function DeferredRender({ children }: { children: ReactNode }) {
  const isShown = useDeferredValue(true, isPainted);
  useEffect(() => {
    isPainted = true;
  }, []);
  return isShown && children;
}
