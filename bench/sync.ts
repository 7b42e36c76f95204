import type { BenchRow } from './result-row.ts';
import { appending, WARM_UP_SECONDS, type Appending } from './sync/appending.ts';
import { memory, type Memory } from './sync/memory.ts';
import { reconnecting, type Reconnecting } from './sync/reconnecting.ts';
import { refusalTimes } from './sync/refusals.ts';
import {
  appendingRows,
  failedRow,
  memoryRows,
  reasonOf,
  reconnectingRows,
  refusalRow,
  type Outcome,
} from './sync/rows.ts';
import { startHocuspocus, startOurs, startStock, type BenchServer } from './sync/servers.ts';

/** The numbers of pairs of devices that append, one run each. */
const DEVICES = [200, 1000];
const SECONDS = 12;
/** Documents of 20 messages that are held open while memory is measured. */
const OPEN_DOCUMENTS = 2000;
/** Unchanged documents on a device that reconnects. */
const RECONNECTING_DOCUMENTS = 1000;
const ROUNDS = 10;

/** Time besides warm-up and measurement: for starting, connecting, and waiting for late messages. */
const APPENDING_PATIENCE_MS = 60_000;
const MEMORY_PATIENCE_MS = 150_000;

/**
 * Compares ours with Hocuspocus in appends, and with automerge-repo's own server in memory and reconnecting, each in its own
 * process, the devices in another. A rival that crashes or hangs is reported in its rows.
 * @param interrupted ends it early, and stops all processes
 */
export async function syncBench(interrupted: AbortSignal): Promise<BenchRow[]> {
  const ours = <T>(what: string, measure: Measure<T>, patienceMs: number) =>
    measured(`ours, ${what}`, startOurs, measure, patienceMs, interrupted);
  const rival = async <T>(
    start: typeof startStock,
    what: string,
    measure: Measure<T>,
    patienceMs: number,
  ): Promise<Outcome<T>> => {
    try {
      return await measured(`rival, ${what}`, start, measure, patienceMs, interrupted);
    } catch (error) {
      interrupted.throwIfAborted();
      return { failed: reasonOf(error) };
    }
  };
  const rows: BenchRow[] = [];
  /** A failure of ours is reported as a row, and the other rows follow. */
  const tell = async (what: string, work: () => Promise<BenchRow[]>): Promise<void> => {
    try {
      rows.push(...(await work()));
    } catch (error) {
      interrupted.throwIfAborted();
      rows.push(failedRow(what, error));
    }
  };
  for (const count of DEVICES) {
    const what = `${count} devices`;
    const patience = (WARM_UP_SECONDS + SECONDS) * 1000 + APPENDING_PATIENCE_MS;
    const measure: Measure<Appending> = (server, over) => appending(server, count, SECONDS, over);
    await tell(what, async () =>
      appendingRows(
        count,
        await ours(what, measure, patience),
        await rival(startHocuspocus, what, measure, patience),
      ),
    );
  }
  const holding: Measure<Memory> = (server, over) => memory(server, OPEN_DOCUMENTS, ROUNDS, over);
  await tell('memory', async () =>
    memoryRows(
      await ours('memory', holding, MEMORY_PATIENCE_MS),
      await rival(startStock, 'memory', holding, MEMORY_PATIENCE_MS),
      ROUNDS,
    ),
  );
  const comingBack: Measure<Reconnecting> = (server, over) =>
    reconnecting(server, RECONNECTING_DOCUMENTS, over);
  await tell('reconnecting', async () =>
    reconnectingRows(
      RECONNECTING_DOCUMENTS,
      await ours('reconnecting', comingBack, MEMORY_PATIENCE_MS),
      await rival(startStock, 'reconnecting', comingBack, MEMORY_PATIENCE_MS),
    ),
  );
  await tell('refusals', async () => [
    refusalRow(await ours('refusals', refusalTimes, APPENDING_PATIENCE_MS)),
  ]);
  return rows;
}

type Measure<T> = (server: BenchServer, over: AbortSignal) => Promise<T>;

/** @throws when it is not done in time, with everything stopped */
async function measured<T>(
  what: string,
  start: () => Promise<BenchServer>,
  measure: Measure<T>,
  patienceMs: number,
  interrupted: AbortSignal,
): Promise<T> {
  interrupted.throwIfAborted();
  console.error(`  ${what}…`);
  const server = await start();
  const late = new AbortController();
  const tooLate = new Error(`not done in ${patienceMs / 1000} s`);
  const timer = setTimeout(() => late.abort(tooLate), patienceMs);
  const over = AbortSignal.any([interrupted, late.signal]);
  try {
    const aborted = new Promise<never>((_, reject) =>
      over.addEventListener('abort', () => reject(over.reason as Error)),
    );
    const result = await Promise.race([measure(server, over), aborted]);
    console.error(`  ${what}: ${JSON.stringify(result)}`);
    return result;
  } finally {
    clearTimeout(timer);
    late.abort();
    await server.stop();
  }
}
