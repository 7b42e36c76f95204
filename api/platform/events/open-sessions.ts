/** A browser that lost its stream, or whose tabs pass it on, connects again sooner. */
const RECONNECTS_WITHIN_MS = 3_000;

/**
 * Notices that a device has gone: its last stream closed and none came in its place. Also after a crash, which no device reports.
 * @param onGone called with its session
 */
export function createOpenSessions(
  onGone: (sessionId: string) => void,
  reconnectsWithinMs = RECONNECTS_WITHIN_MS,
) {
  const counts = new Map<string, number>();
  const timers = new Set<NodeJS.Timeout>();
  let isClosed = false;
  const add = (sessionId: string, change: 1 | -1): number => {
    const count = (counts.get(sessionId) ?? 0) + change;
    if (count > 0) counts.set(sessionId, count);
    else counts.delete(sessionId);
    return count;
  };
  return {
    /** Call it when a stream opens. @returns what to call when it closes */
    opened(sessionId: string): () => void {
      add(sessionId, 1);
      return () => {
        if (add(sessionId, -1) > 0 || isClosed) return;
        const timer = setTimeout(() => {
          timers.delete(timer);
          if (!counts.has(sessionId)) onGone(sessionId);
        }, reconnectsWithinMs).unref();
        timers.add(timer);
      };
    },
    /** Call it before this server closes the streams. */
    close(): void {
      isClosed = true;
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
