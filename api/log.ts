import { pino, type Logger } from 'pino';

export type Log = Logger;

/** Logs to stdout in batches, so that requests don’t wait for it. */
export function openLog(level: string): { log: Log; close(): void } {
  const destination = pino.destination({
    dest: 1,
    sync: false,
    minLength: 4096,
    periodicFlush: 250,
  });
  return {
    log: pino({ level, base: { process: 'api' } }, destination),
    close() {
      try {
        destination.flushSync();
      } catch {
        // Nothing was opened yet, or stdout is closed.
      }
    },
  };
}
