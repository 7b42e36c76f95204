/** A tab in the background draws nothing: it waits no longer than this. */
const PATIENCE_MS = 200;

/** Calls once when what is in the document by now is on the screen. */
export function whenDrawn(then: () => void): void {
  let isDone = false;
  const once = () => {
    if (!isDone) then();
    isDone = true;
  };
  setTimeout(once, PATIENCE_MS);
  requestAnimationFrame(() => setTimeout(once));
}
