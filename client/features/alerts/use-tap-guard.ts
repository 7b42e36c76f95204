import { useLayoutEffect, useRef, type MouseEvent, type PointerEvent } from 'react';

/** The time that a person needs to notice an alert that has appeared under the finger. */
const NOTICE_MS = 400;

/** Elements that a tap focuses. */
const FOCUSABLE = 'a[href], button, input, select, textarea, summary, [tabindex]';

/**
 * Passes taps that begin before a person can have seen which alerts are shown on to the element below, which they were aimed at:
 * a new alert may appear where the finger is about to tap, and one button may acknowledge several alerts.
 * @param ids the alerts that are shown
 * @returns handlers for the element that contains them
 */
export function useTapGuard(ids: string[]) {
  const last = useRef({ shown: '', changedAt: 0 });
  const pressedAt = useRef(0);
  const shown = ids.join(' ');
  useLayoutEffect(() => {
    last.current = { shown, changedAt: performance.now() };
  }, [shown]);
  return {
    onPointerDownCapture({ timeStamp }: PointerEvent) {
      pressedAt.current = timeStamp;
    },
    onClickCapture(event: MouseEvent) {
      const begunAt = Math.min(pressedAt.current || event.timeStamp, event.timeStamp);
      // Clicks by keyboard or assistive technology have no detail and are always meant.
      if (event.detail === 0 || begunAt - last.current.changedAt >= NOTICE_MS) return;
      event.preventDefault();
      event.stopPropagation();
      tapBelow(event);
    },
  };
}

function tapBelow({ currentTarget, clientX, clientY, detail }: MouseEvent): void {
  const below = document
    .elementsFromPoint(clientX, clientY)
    .find((element) => !currentTarget.contains(element));
  if (!below) return;
  below.closest<HTMLElement>(FOCUSABLE)?.focus({ preventScroll: true });
  const options = { bubbles: true, cancelable: true, composed: true, clientX, clientY, detail };
  below.dispatchEvent(new window.MouseEvent('click', options));
}
