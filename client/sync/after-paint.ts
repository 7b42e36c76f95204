/** A tab in the background draws nothing: it waits no longer than this. */
const PATIENCE_MS = 300;

/** Settles when what has been rendered by now is on the screen. */
export const afterPaint = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS);
    requestAnimationFrame(() => setTimeout(resolve));
  });
