/** Scrolls a new screen or step to its top, and focuses its heading (tabIndex -1). */
export function showFromTop(heading: HTMLElement | null): void {
  window.scrollTo({ top: 0, behavior: 'instant' });
  heading?.focus({ preventScroll: true });
}
