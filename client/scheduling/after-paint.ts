/** A tab in the background draws nothing and is never idle: it waits no longer than this. */
const PATIENCE_MS = 1_000;

/** Settles when what has been rendered by now is on the screen, and what follows from it is drawn too. */
export const afterPaint = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS);
    requestAnimationFrame(() => setTimeout(() => whenIdle(resolve)));
  });

/** Safari has no word for it. */
const whenIdle = (then: () => void): void => {
  if ('requestIdleCallback' in window) requestIdleCallback(then);
  else setTimeout(then);
};
