import { hostname } from 'node:os';
import type { Db } from 'mongodb';
import { newId } from '#shared/ids.ts';
import { expireLease, takeLease, type LeaseRow } from '#shared/server/lease.ts';
import type { Log } from '#shared/server/log.ts';

/** `leases`: which node of the API runs the background jobs. */
interface NodeLeaseRow extends LeaseRow {
  /** The node's address, which stays the same when it restarts. */
  node: string;
  /** Jobs that other nodes want to run soon. */
  requested?: string[];
}

export const leases = (db: Db) => db.collection<NodeLeaseRow>('leases');

/** A lease that one node holds at a time. For a moment two nodes may hold it, so jobs must tolerate that. Decision 275. */
export interface NodeLease {
  /** Whether this node holds it now. */
  isHeld(): boolean;
  /** Requests a job from the node that holds it, at the latest when MongoDB answers again. */
  request(job: string): void;
  /** @param onAcquire called each time that this node gets it @param onRequest called with a job that another node requested */
  listen(onAcquire: () => void, onRequest: (job: string) => void): void;
  /** Releases it, so that another node takes over at once. */
  close(): Promise<void>;
}

export interface LeaseTimes {
  /** Without renewal, it expires after this time. */
  lastsMs: number;
  /** How often a node renews it, or tries to get it. */
  checkMs: number;
}

const TIMES: LeaseTimes = { lastsMs: 10_000, checkMs: 2_000 };
const NAME = 'background jobs';

/**
 * Opens the lease of the background jobs, and tries to get it.
 * @param port of this node; a node that restarts there takes back its own lease
 */
export async function openNodeLease(
  db: Db,
  port: number,
  log: Log,
  { lastsMs, checkMs }: LeaseTimes = TIMES,
): Promise<NodeLease> {
  const rows = leases(db);
  const self = newId();
  // Port 0 stands for any free one.
  const node = port === 0 ? self : `${hostname()}:${port}`;
  const wanted = new Set<string>();
  let heldUntil = 0;
  let isClosed = false;
  let acquired = () => {};
  let requested: (job: string) => void = () => {};
  let timer: NodeJS.Timeout | undefined;
  let checking: Promise<void> = Promise.resolve();

  const isHeld = () => performance.now() < heldUntil;

  async function check(isStart: boolean): Promise<void> {
    // The database sets the expiry later than this, so this node never believes in it for longer.
    const askedAt = performance.now();
    const wasHeld = isHeld();
    // By address only at the start: otherwise two nodes with one address would take it from each other forever.
    const isOwn = isStart && { $eq: ['$node', { $literal: node }] };
    const row = await takeLease(rows, NAME, self, {
      lastsMs,
      fields: { node },
      isTakenFrom: isOwn,
    });
    if (row?.holder !== self) {
      heldUntil = 0;
      if (wasHeld) log.warn('another node has taken over the background jobs');
      return submitWanted();
    }
    heldUntil = askedAt + lastsMs;
    wanted.clear();
    const jobs = row.requested ?? [];
    if (jobs.length > 0)
      // Before they run: what is requested from now on counts again.
      await rows.updateOne({ _id: NAME }, { $pullAll: { requested: jobs } });
    if (!wasHeld) {
      log.info('this node runs the background jobs');
      acquired();
    } else for (const job of jobs) requested(job);
  }

  async function submitWanted(): Promise<void> {
    const jobs = [...wanted];
    if (jobs.length === 0) return;
    // Before the update, so that a concurrent call does not request them again.
    wanted.clear();
    try {
      await rows.updateOne({ _id: NAME }, { $addToSet: { requested: { $each: jobs } } });
    } catch (error) {
      for (const job of jobs) wanted.add(job);
      throw error;
    }
  }

  const warn = (err: unknown) => log.warn({ err }, 'could not renew the lease of background jobs');

  async function checkNow(isStart = false): Promise<void> {
    await check(isStart).catch(warn);
    if (isClosed) return;
    timer = setTimeout(() => {
      checking = checkNow();
    }, checkMs);
  }

  await checkNow(true);
  return {
    isHeld,
    request(job) {
      wanted.add(job);
      submitWanted().catch(warn);
    },
    listen(onAcquire, onRequest) {
      acquired = onAcquire;
      requested = onRequest;
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await checking;
      heldUntil = 0;
      await expireLease(rows, NAME, self).catch(warn);
    },
  };
}

/** Returns the lease of a node that runs alone, as the claim of its role ensures. */
export const soleNodeLease = (): NodeLease => ({
  isHeld: () => true,
  request() {},
  listen: (onAcquire) => onAcquire(),
  close: () => Promise.resolve(),
});
