import { useCallback, useEffect, useRef, useState, type PointerEvent } from 'react';

/** How long a press must last. */
export const HOLD_MS = 1500;
/** A finger may drift this far. */
const DRIFT_PX = 40;

/**
 * Calls back when a finger presses an element for `HOLD_MS`, or a key is held that long: Escape anywhere, Enter or Space on
 * the element. A tap does nothing.
 */
export function useHold(onHeld: () => void) {
  const [isHolding, setHolding] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const start = useRef({ x: 0, y: 0 });
  const held = useRef(onHeld);
  useEffect(() => {
    held.current = onHeld;
  }, [onHeld]);

  const begin = useCallback(() => {
    if (timer.current !== undefined) return;
    setHolding(true);
    timer.current = setTimeout(() => held.current(), HOLD_MS);
  }, []);
  const cancel = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    setHolding(false);
  }, []);

  useEffect(() => {
    const isOnElement = ({ target }: KeyboardEvent) =>
      target instanceof Element && target.closest('[data-hold]') !== null;
    const down = (event: KeyboardEvent) => {
      const isHeldKey = event.key === 'Enter' || event.key === ' ';
      if (event.key !== 'Escape' && !(isHeldKey && isOnElement(event))) return;
      event.preventDefault();
      begin();
    };
    addEventListener('keydown', down);
    addEventListener('keyup', cancel);
    addEventListener('blur', cancel);
    return () => {
      cancel();
      removeEventListener('keydown', down);
      removeEventListener('keyup', cancel);
      removeEventListener('blur', cancel);
    };
  }, [begin, cancel]);

  return {
    isHolding,
    /** Of the element that is pressed. */
    handlers: {
      'data-hold': '',
      onPointerDown: ({ currentTarget, pointerId, clientX, clientY }: PointerEvent) => {
        currentTarget.setPointerCapture(pointerId);
        start.current = { x: clientX, y: clientY };
        begin();
      },
      onPointerMove: ({ clientX, clientY }: PointerEvent) => {
        const { x, y } = start.current;
        if (Math.hypot(clientX - x, clientY - y) > DRIFT_PX) cancel();
      },
      onPointerUp: cancel,
      onPointerCancel: cancel,
    },
  };
}
