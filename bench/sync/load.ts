/** The input of the process that simulates the devices; it answers with a `LoadResult`. */
export interface LoadTask {
  url: string;
  protocol: 'automerge' | 'yjs';
  /** One document a pair of devices. */
  documents: { id: string; cookie: string }[];
  /** Whether the first device creates the document; otherwise the server has it. */
  creates: boolean;
  warmUpSeconds: number;
  seconds: number;
}

export interface LoadResult {
  appends: number;
  /** Never seen by the other device. */
  lost: number;
  /** Seen later than a second after it was written. */
  late: number;
  /** Seen by the other device while figures were taken, whenever they were written. */
  seenMeanwhile: number;
  /** Null when nothing arrived at all. */
  p50Ms: number | null;
  p99Ms: number | null;
}

/** A pair of devices on one document. */
export interface Pair {
  /** Writes a message on the first device; `seen` is called when the second has it. */
  append(text: string, seen: () => void): void;
}

const LATE_MS = 1000;
const PATIENCE_MS = 15_000;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Has every pair append once a second, each at its own moment of the second.
 * @param measuring called when the warm-up is over, and when the last append is written
 */
export async function appendOnceASecond(
  pairs: Pair[],
  task: Pick<LoadTask, 'warmUpSeconds' | 'seconds'>,
  measuring: (on: boolean) => Promise<void>,
): Promise<LoadResult> {
  const delays: number[] = [];
  let appends = 0;
  let counting = false;
  let seenMeanwhile = 0;
  const text = 'a message of eighty characters, as people write them on their way to the park. ';
  const append = (pair: Pair) => {
    const counted = counting;
    const started = performance.now();
    if (counted) appends++;
    pair.append(text.padEnd(80, '.'), () => {
      if (counting) seenMeanwhile++;
      if (counted) delays.push(performance.now() - started);
    });
  };
  const started = performance.now();
  let written = 0;
  const due = () => Math.floor(((performance.now() - started) / 1000) * pairs.length);
  const runUntil = async (total: number) => {
    while (written < total) {
      for (const now = Math.min(due(), total); written < now; written++)
        append(pairs[written % pairs.length]!);
      await wait(2);
    }
  };
  await runUntil(task.warmUpSeconds * pairs.length);
  await measuring(true);
  counting = true;
  // Writes that became due while the metrics were read are not sent in one go.
  const skipped = due() - written;
  written += Math.max(0, skipped);
  await runUntil(written + task.seconds * pairs.length);
  counting = false;
  await measuring(false);
  const until = performance.now() + PATIENCE_MS;
  while (delays.length < appends && performance.now() < until) await wait(50);
  delays.sort((a, b) => a - b);
  const quantile = (share: number) =>
    delays[Math.min(delays.length - 1, Math.floor(delays.length * share))] ?? null;
  return {
    appends,
    lost: appends - delays.length,
    seenMeanwhile,
    late: delays.filter((delay) => delay > LATE_MS).length,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
  };
}
