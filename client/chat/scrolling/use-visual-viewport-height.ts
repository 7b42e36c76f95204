import { useLayoutEffect } from 'react';

/** Keeps `--visible-height` at what the on-screen keyboard leaves of the window, while it is mounted. */
export function useVisibleHeight(): void {
  useLayoutEffect(() => {
    const { visualViewport } = window;
    if (!visualViewport) return;
    const { style } = document.documentElement;
    const measure = () => {
      // Somebody who has zoomed in looks at a part of it.
      if (visualViewport.scale > 1.01) return;
      style.setProperty('--visible-height', `${visualViewport.height}px`);
      // iOS moves the page up behind its keyboard.
      if (visualViewport.offsetTop > 0) window.scrollTo({ top: 0, behavior: 'instant' });
    };
    measure();
    visualViewport.addEventListener('resize', measure);
    return () => {
      visualViewport.removeEventListener('resize', measure);
      style.removeProperty('--visible-height');
    };
  }, []);
}
