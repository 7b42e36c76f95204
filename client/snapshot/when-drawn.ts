/** A tab in the background draws nothing: it waits no longer than this. */
const PATIENCE_MS = 200;

/** Settles when what is in the document by now is on the screen. */
export const whenDrawn = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS);
    requestAnimationFrame(() => setTimeout(resolve));
  });
