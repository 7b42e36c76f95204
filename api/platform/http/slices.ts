/** How long requests are begun before timers and answers of the database get a turn. */
const SLICE_MS = 15;

/**
 * Begins requests in slices. When everybody sets out at the moment at which this process has started, beginning all requests at once would
 * take seconds: then heartbeats of the database look lost, and every request fails. Requests that wait are in order; their number is
 * bounded by that of the connections. Decision 355.
 * @returns a function that begins work at once, or soon after what waits; `isUrgent` work, such as a health check, always at once
 */
export function createSlices(): (begin: () => void, isUrgent?: boolean) => void {
  const waiting: (() => void)[] = [];
  let until = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(run);
  }

  function run(): void {
    isScheduled = false;
    until = performance.now() + SLICE_MS;
    let begun = 0;
    while (begun < waiting.length && performance.now() < until) waiting[begun++]!();
    waiting.splice(0, begun);
    if (waiting.length > 0) schedule();
    else until = 0;
  }

  return (begin, isUrgent = false) => {
    if (isUrgent) return begin();
    const now = performance.now();
    if (until === 0) {
      until = now + SLICE_MS;
      // Ends the slice with this turn of the event loop.
      schedule();
    }
    if (waiting.length === 0 && now < until) begin();
    else waiting.push(begin);
    if (waiting.length > 0) schedule();
  };
}
