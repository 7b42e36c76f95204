/** Shows what replaced a screen, or a step of it, from its top, with the focus at its heading (tabIndex -1). */
export function showFromTop(heading: HTMLElement | null): void {
  window.scrollTo({ top: 0, behavior: 'instant' });
  heading?.focus({ preventScroll: true });
}
