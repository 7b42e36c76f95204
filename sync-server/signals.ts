import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { SignalRow } from '#shared/rows.ts';
import type { Database } from './database.ts';

const RETRY_MS = 500;

/**
 * Follows `signals` until stopped.
 * @param onSignal told of each new one
 * @param onLost told when some may have been missed
 */
export function followSignals(
  signals: Database['signals'],
  onSignal: (signal: Pick<SignalRow, 'topic' | 'user_id'>) => void,
  onLost: () => void,
  logger: Logger,
): { stop(): Promise<void> } {
  let stopped = false;
  let cursor: ReturnType<typeof tail> | null = null;
  const tail = (since: Date) =>
    signals.find(
      { at: { $gte: since } },
      { tailable: true, awaitData: true, maxAwaitTimeMS: 1000, projection: { _id: 0 } },
    );
  const following = (async () => {
    while (!stopped) {
      // Some are told twice, none is left out.
      cursor = tail(new Date(Date.now() - 2000));
      try {
        for await (const signal of cursor) onSignal(signal);
      } catch (error) {
        if (!stopped) logger.warn({ err: error }, 'signals lost, following again');
      }
      await cursor.close().catch(() => {});
      if (stopped) break;
      await wait(RETRY_MS);
      onLost();
    }
  })();
  return {
    async stop() {
      stopped = true;
      await cursor?.close().catch(() => {});
      await following;
    },
  };
}
