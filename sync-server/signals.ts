import { setTimeout as wait } from 'node:timers/promises';
import type { FindCursor } from 'mongodb';
import type { Logger } from 'pino';
import type { SignalRow } from '#shared/rows.ts';
import type { Database } from './database.ts';

type Signal = Pick<SignalRow, 'topic' | 'user_id'>;

const AWAIT_MS = 1000;
/** The embedded engine answers at once instead of awaiting; it is not asked more often than this. */
const PAUSE_MS = 250;
const RETRY_MS = 500;
/** Clocks of two machines may differ by so much: some signals are told twice, none is left out. */
const CLOCKS_MS = 5000;

/**
 * Follows `signals` until stopped.
 * @param onSignal told of each new one
 * @param onLost told when some may have been missed
 */
export function followSignals(
  signals: Database['signals'],
  onSignal: (signal: Signal) => void,
  onLost: () => void,
  logger: Logger,
): { stop(): Promise<void> } {
  const stopped = new AbortController();
  let cursor: FindCursor<Signal> | null = null;

  async function tail(): Promise<void> {
    cursor = signals.find<Signal>(
      { at: { $gte: new Date(Date.now() - CLOCKS_MS) } },
      {
        tailable: true,
        awaitData: true,
        maxAwaitTimeMS: AWAIT_MS,
        projection: { _id: 0, topic: 1, user_id: 1 },
      },
    );
    while (!stopped.signal.aborted && !cursor.closed) {
      const asked = performance.now();
      const signal = await cursor.tryNext();
      if (signal) onSignal(signal);
      else if (performance.now() - asked < PAUSE_MS) await wait(PAUSE_MS);
    }
  }

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      await tail().catch((error: unknown) => {
        if (!stopped.signal.aborted) logger.warn({ err: error }, 'signals lost, following again');
      });
      await cursor?.close().catch(() => {});
      if (stopped.signal.aborted) break;
      await wait(RETRY_MS);
      onLost();
    }
  }

  const running = run();
  return {
    async stop() {
      stopped.abort();
      await cursor?.close().catch(() => {});
      await running;
    },
  };
}
