import { useEffect, useMemo, useRef, type MouseEvent, type PointerEvent } from 'react';

const LONG_MS = 450;
/** A finger that moves farther scrolls. */
const STILL_PX = 10;

/**
 * Returns the handlers of an element that opens a menu: on a long press of a finger, and on a right click or the menu key.
 * @param onOpen receives the point on the screen
 */
export function useLongPress(onOpen: (at: { x: number; y: number }) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const start = useRef({ x: 0, y: 0 });
  const wasLong = useRef(false);
  const open = useRef(onOpen);
  useEffect(() => {
    open.current = onOpen;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return useMemo(() => {
    const stop = () => clearTimeout(timer.current);
    return {
      onPointerDown(event: PointerEvent) {
        wasLong.current = false;
        stop();
        if (event.pointerType !== 'touch') return;
        const at = { x: event.clientX, y: event.clientY };
        start.current = at;
        timer.current = setTimeout(() => {
          wasLong.current = true;
          open.current(at);
        }, LONG_MS);
      },
      onPointerMove(event: PointerEvent) {
        const { x, y } = start.current;
        if (Math.hypot(event.clientX - x, event.clientY - y) > STILL_PX) stop();
      },
      onPointerUp: stop,
      onPointerCancel: stop,
      onContextMenu(event: MouseEvent) {
        event.preventDefault();
        stop();
        // Android reports a long press as this event, too.
        if (wasLong.current) return;
        wasLong.current = true;
        open.current({ x: event.clientX, y: event.clientY });
      },
      /** The click at the end of a long press is none. */
      onClickCapture(event: MouseEvent) {
        if (!wasLong.current) return;
        wasLong.current = false;
        event.preventDefault();
        event.stopPropagation();
      },
    };
  }, []);
}
