/** Elements that give screen reader users context. */
const LANDMARKS = 'section, form, li, [role]';

/** Returns an element's ancestors with context, innermost first, up to the screen. */
function placesAround(element: Element): HTMLElement[] {
  const main = element.closest('main');
  if (!main) return [];
  const places: HTMLElement[] = [];
  for (let each = element.parentElement; each && each !== main; each = each.parentElement)
    if (each.matches(LANDMARKS)) places.push(each);
  return [...places, main];
}

/**
 * Moves the focus to the surrounding element when the focused one is removed, such as an answered request. Otherwise the next
 * Tab would start at the top of the page. If the whole screen is removed, the next one takes the focus.
 * @returns how to stop
 */
export function keepFocus(): () => void {
  let focused: Element | null = null;
  let around: HTMLElement[] = [];
  const note = ({ target }: FocusEvent) => {
    focused = target as Element;
    around = placesAround(focused);
  };
  const observer = new MutationObserver(() => {
    if (!focused || focused.isConnected) return;
    focused = null;
    const isLost = document.activeElement === null || document.activeElement === document.body;
    const next = isLost && around.find((each) => each.isConnected && each.checkVisibility());
    if (!next) return;
    if (!next.hasAttribute('tabindex')) next.tabIndex = -1;
    next.focus({ preventScroll: true });
  });
  document.addEventListener('focusin', note);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', note);
    observer.disconnect();
  };
}
