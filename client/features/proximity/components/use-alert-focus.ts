import { useEffect, useRef } from 'react';

/** Marks the sheet of an alert. */
export const SHEET = 'data-alert-sheet';

/**
 * Keeps the focus of an owner who uses the keyboard or a screen reader when an alert folds or opens: it returns to where it was
 * before the sheet, else follows the alert into its pill, and from there back into the sheet.
 * @param isOpen whether the sheet is open
 * @returns the ref of the button that folds, and a function that moves the focus once the alert is there
 */
export function useAlertFocus(isOpen: boolean) {
  const gotItRef = useRef<HTMLButtonElement>(null);
  const before = useRef<HTMLElement | null>(null);
  const next = useRef<'pills' | 'sheet' | null>(null);
  useEffect(() => {
    const isOutside = (target: EventTarget | null): target is HTMLElement =>
      target instanceof HTMLElement && target.closest(`[${SHEET}]`) === null;
    const note = ({ target }: FocusEvent) => {
      if (isOutside(target)) before.current = target;
    };
    const forget = ({ target, relatedTarget }: FocusEvent) => {
      if (isOutside(target) && relatedTarget === null) before.current = null;
    };
    document.addEventListener('focusin', note);
    document.addEventListener('focusout', forget);
    return () => {
      document.removeEventListener('focusin', note);
      document.removeEventListener('focusout', forget);
    };
  }, []);
  useEffect(() => {
    const place = next.current;
    // Another tab may lead, so that the change takes a moment.
    if (place === null || isOpen !== (place === 'sheet')) return;
    next.current = null;
    // Nobody's input is interrupted. A dialog takes the focus itself when the element that had it is gone.
    const active = document.activeElement;
    if (active && active !== document.body && active.getAttribute('role') !== 'dialog') return;
    const pill = document.querySelector<HTMLElement>('[data-pill] button');
    const outside = before.current?.isConnected ? before.current : pill;
    (place === 'sheet' ? gotItRef.current : outside)?.focus({ preventScroll: true });
  }, [isOpen]);
  const moveTo = (place: 'pills' | 'sheet') => {
    next.current = place;
  };
  return [gotItRef, moveTo] as const;
}
