import { useEffect, useEffectEvent } from 'react';

/**
 * Calls a function at Escape, before any dialog that would close.
 * @param isActive whether Escape is for the caller; else it reaches the dialogs
 */
export function useEscape(isActive: boolean, onEscape: (event: KeyboardEvent) => void): void {
  const handle = useEffectEvent(onEscape);
  useEffect(() => {
    if (!isActive) return undefined;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing) return;
      event.stopImmediatePropagation();
      handle(event);
    };
    // Dialogs listen on the document.
    window.addEventListener('keydown', onKeyDown, true);
    return () => window.removeEventListener('keydown', onKeyDown, true);
  }, [isActive]);
}
