import { backoffMs } from '#shared/backoff.ts';
import type { Log } from '#shared/server/log.ts';
import type { Metrics } from '#shared/server/metrics.ts';
import { MINUTE_MS } from '#shared/time.ts';
import type { NodeLease } from './node-lease.ts';

const EVERY_MS = 10 * MINUTE_MS;
const RETRY_MS = { first: 1_000, longest: EVERY_MS };

/**
 * A background job. Two nodes may run it at once for a moment, so it must be idempotent.
 * @param isFirst whether it has not succeeded yet since this node took over: then another node may have left anything undone
 */
type BackgroundJob = (isFirst: boolean) => Promise<unknown>;

interface JobOptions {
  /** How often it runs; every ten minutes by default. */
  everyMs?: number;
  /** For a job on this node's memory, which no other node can do. */
  onEveryNode?: boolean;
}

export type RegisterJob = (name: string, run: BackgroundJob, options?: JobOptions) => void;

interface Job {
  runSoon(): void;
  /** This node has just taken over. */
  restart(): void;
  /** Runs as after the start, and waits for the end. */
  runAgain(): Promise<void>;
}

/**
 * Runs background jobs at the start and every ten minutes, such as deleting expired rows (queries ignore them before
 * that), on the node that holds the lease. A job never overlaps itself; one that fails is retried soon, and so is one that
 * `runJobSoon` names, on whichever node.
 */
export function createJobs(
  log: Log,
  lease: Pick<NodeLease, 'isHeld' | 'request' | 'listen'>,
  onClose: (run: () => void) => void,
  metrics: Metrics,
) {
  const runs = metrics.histogram(
    'background_job_seconds',
    'Runs of background jobs by name and outcome, and how long they took.',
    { labelNames: ['job', 'outcome'] },
  );
  const jobs = new Map<string, Job>();

  function registerJob(
    name: string,
    run: BackgroundJob,
    { everyMs = EVERY_MS, onEveryNode = false }: JobOptions = {},
  ): void {
    let isRunning = false;
    let current = Promise.resolve();
    let isClosed = false;
    let isFirst = true;
    let failures = 0;
    let again: NodeJS.Timeout | undefined;
    const isHere = () => !isClosed && (onEveryNode || lease.isHeld());
    const now = () => {
      if (!isHere()) return;
      if (isRunning) return log.warn({ job: name }, 'the previous run is still in progress');
      current = runOnce();
    };
    async function runOnce(): Promise<void> {
      isRunning = true;
      const ended = runs.startTimer({ job: name });
      try {
        await run(isFirst);
        ended({ outcome: 'done' });
        failures = 0;
        isFirst = false;
      } catch (err) {
        ended({ outcome: 'failed' });
        log.warn({ err, job: name }, 'a background job failed');
        tryAgain();
      }
      isRunning = false;
    }
    function tryAgain(): void {
      if (!isHere() || again) return;
      again = setTimeout(
        () => {
          again = undefined;
          // The current run may have passed what was requested.
          if (isRunning) tryAgain();
          else now();
        },
        backoffMs(RETRY_MS, failures++),
      );
    }
    jobs.set(name, {
      runSoon: tryAgain,
      restart() {
        if (onEveryNode) return;
        isFirst = true;
        failures = 0;
        // A run that this node began when it held the lease before may have missed what came since.
        if (isRunning) tryAgain();
        else now();
      },
      async runAgain() {
        while (isRunning) await current;
        isFirst = true;
        now();
        await current;
      },
    });
    const timer = setInterval(now, everyMs);
    now();
    onClose(() => {
      isClosed = true;
      clearInterval(timer);
      clearTimeout(again);
    });
  }

  lease.listen(
    () => jobs.forEach((job) => job.restart()),
    (name) => jobs.get(name)?.runSoon(),
  );
  return {
    registerJob,
    runJobSoon(name: string): void {
      if (lease.isHeld()) jobs.get(name)?.runSoon();
      else lease.request(name);
    },
    async runAllJobs(): Promise<void> {
      await Promise.all([...jobs.values()].map((job) => job.runAgain()));
    },
    isJobNode: () => lease.isHeld(),
  };
}

/**
 * Runs a step now; if it fails, a background job retries it soon.
 * @throws the error of the step
 */
export async function runOrRetrySoon(
  { runJobSoon }: { runJobSoon(name: string): void },
  name: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    runJobSoon(name);
    throw error;
  }
}
