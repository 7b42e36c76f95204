/** What tells somebody who cannot see it where they are. */
const PLACES = 'section, form, li, [role]';

/** What is around an element within the screen, inner first, up to the screen. */
function placesAround(element: Element): HTMLElement[] {
  const main = element.closest('main');
  if (!main) return [];
  const places: HTMLElement[] = [];
  for (let each = element.parentElement; each && each !== main; each = each.parentElement)
    if (each.matches(PLACES)) places.push(each);
  return [...places, main];
}

/**
 * Has the focus go to what is around it when what has it goes, as with a request that was answered: the next Tab would
 * begin at the top of the page otherwise. A screen that goes as a whole is left to the next one.
 * @returns ends it
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
