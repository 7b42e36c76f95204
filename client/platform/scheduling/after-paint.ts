/** Maximum wait, because a background tab neither paints nor becomes idle. */
const PATIENCE_MS = 1_000;

/** Settles after the current render and its follow-up renders are painted. */
export const afterPaint = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS);
    requestAnimationFrame(() => setTimeout(() => whenIdle(resolve)));
  });

/** Safari has no `requestIdleCallback`. */
const whenIdle = (then: () => void): void => {
  if ('requestIdleCallback' in window) requestIdleCallback(then);
  else setTimeout(then);
};
