import { useEffect, useLayoutEffect, useRef, useState, type MouseEvent } from 'react';

/** The time that a person needs to notice an alert that has appeared under the finger. */
const NOTICE_MS = 400;

/**
 * Keeps taps that were aimed at something else from being lost or misunderstood. Until a person can have noticed the sheet, it lets
 * taps through to the screen below; after that, a tap is about the alerts that they can have seen when they began to press.
 * @param ids the alerts that are shown
 */
export function useSeenAlerts(ids: readonly string[]) {
  const shownAt = useRef(new Map<string, number>());
  const pressedAt = useRef(0);
  const [takesTaps, setTakesTaps] = useState(false);
  const shown = ids.join(' ');
  const isOpen = ids.length > 0;
  useLayoutEffect(() => {
    const now = performance.now();
    const before = shownAt.current;
    shownAt.current = new Map(
      shown.split(' ').map((id): [string, number] => [id, before.get(id) ?? now]),
    );
  }, [shown]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const timer = setTimeout(() => setTakesTaps(true), NOTICE_MS);
    return () => {
      clearTimeout(timer);
      setTakesTaps(false);
    };
  }, [isOpen]);
  const seenBy = (time: number): string[] =>
    ids.filter((id) => time - (shownAt.current.get(id) ?? 0) >= NOTICE_MS);
  return {
    takesTaps,
    /** Returns the alerts that a person can have noticed by a time of the page's clock. */
    seenBy,
    onPointerDownCapture: ({ timeStamp }: { timeStamp: number }) => {
      pressedAt.current = timeStamp;
    },
    /** Returns the alerts that a click is about. */
    seenAt({ detail, timeStamp }: Pick<MouseEvent, 'detail' | 'timeStamp'>): string[] {
      // Clicks by keyboard or assistive technology have no detail.
      const begunAt = detail === 0 ? Infinity : Math.min(pressedAt.current || timeStamp, timeStamp);
      return seenBy(begunAt);
    },
  };
}
