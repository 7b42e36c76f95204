import { useEffect, type RefObject } from 'react';
import { VISIBLE_MS, VISIBLE_SHARE } from '#shared/ads/rules.ts';

/** Whether the middle of an element's visible part isn't covered, such as by a dialog. */
function isOnTop(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
  return element.contains(document.elementFromPoint(x, y));
}

/**
 * Calls back once when half of an element has been visible for a second without interruption, uncovered and in a visible
 * tab.
 */
export function useViewable(ref: RefObject<Element | null>, onSeen: () => void): void {
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isHalfIn = false;
    let wasOnTop = false;

    const stop = () => {
      clearTimeout(timer);
      timer = undefined;
    };
    const begin = () => {
      wasOnTop = isOnTop(element);
      timer = setTimeout(end, VISIBLE_MS);
    };
    const end = () => {
      if (!wasOnTop || !isOnTop(element)) return begin();
      leave();
      onSeen();
    };
    const check = () => {
      const isVisible = isHalfIn && document.visibilityState === 'visible';
      if (!isVisible) stop();
      else if (timer === undefined) begin();
    };
    const observer = new IntersectionObserver(
      (entries) => {
        isHalfIn = (entries.at(-1)?.intersectionRatio ?? 0) >= VISIBLE_SHARE;
        check();
      },
      { threshold: [0, VISIBLE_SHARE] },
    );
    const leave = () => {
      stop();
      observer.disconnect();
      document.removeEventListener('visibilitychange', check);
    };
    observer.observe(element);
    document.addEventListener('visibilitychange', check);
    return leave;
  }, [ref, onSeen]);
}
