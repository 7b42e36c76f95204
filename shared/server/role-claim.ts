import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Collection } from 'mongodb';
import { isDuplicate } from './duplicate-key.ts';

/** `nodes`: one row per role, so that two nodes of a role do not run without a bus between them. */
export interface NodeRow {
  /** The role. */
  _id: 'api' | 'sync-server';
  /** The id of the only node of this role; `SHARED` where nodes are connected by NATS. */
  node: string;
  /** The host and the process of the node that renewed the row last. */
  host: string;
  pid: number;
  /** By the clock of that host. */
  renewed_at: Date;
}

const SHARED = 'shared';
const RENEW_MS = 2_000;
/** A row that was not renewed for this long is of a node that was killed. */
const LEASE_MS = 8_000;
const CHECK_MS = 250;
/** The clocks of two machines may differ by this much. */
const CLOCKS_MS = 5_000;

export interface RoleClaim {
  /** Ends the claim, so that another node can start at once. */
  release(): Promise<void>;
}

/**
 * Claims a role for this process. Waits for a node that is exiting, and until the lease of a node that was killed runs out (at most 8 s;
 * on the same host, not at all).
 * @param isShared whether this node reaches the others of its role over NATS
 * @param onLost called if another node has claimed the role, because this one was suspended or cut off for longer than its lease: this
 * one must exit
 * @throws when another node of the role is running, unless both are connected by NATS
 */
export async function claimRole(
  nodes: Collection<NodeRow>,
  role: NodeRow['_id'],
  isShared: boolean,
  onLost: (reason: string) => void,
): Promise<RoleClaim> {
  const node = isShared ? SHARED : randomUUID();
  const ownRow = () => ({ node, host: hostname(), pid: process.pid, renewed_at: new Date() });

  /** Replaces the row if it is still the same. */
  async function replace({ _id, node: owner, renewed_at }: NodeRow): Promise<boolean> {
    const filter =
      owner === SHARED && isShared ? { _id, node: owner } : { _id, node: owner, renewed_at };
    return (await nodes.updateOne(filter, { $set: ownRow() })).matchedCount > 0;
  }

  async function insert(): Promise<boolean> {
    try {
      await nodes.insertOne({ _id: role, ...ownRow() });
      return true;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return false;
    }
  }

  async function claim(): Promise<void> {
    let seen: NodeRow | null = null;
    let seenAt = performance.now();
    let renewals = 0;
    for (;;) {
      const row = await nodes.findOne({ _id: role });
      if (!row) {
        if (await insert()) return;
        continue;
      }
      if (row.renewed_at.getTime() !== seen?.renewed_at.getTime() || row.node !== seen.node) {
        // The second renewal: the first may have been the last one of a node that is exiting.
        if (row.node === seen?.node && ++renewals === 2) throw new Error(refusal(row));
        seen = row;
        seenAt = performance.now();
      }
      const isOver =
        (isShared && row.node === SHARED) ||
        isDead(row) ||
        Date.now() - row.renewed_at.getTime() > LEASE_MS + CLOCKS_MS ||
        performance.now() - seenAt > LEASE_MS;
      if (!isOver) await wait(CHECK_MS);
      else if (await replace(row)) return;
    }
  }

  async function renew(): Promise<void> {
    const { matchedCount } = await nodes.updateOne({ _id: role, node }, { $set: ownRow() });
    if (matchedCount > 0 || isReleased) return;
    const row = await nodes.findOne({ _id: role });
    if (row && !isReleased) onLost(refusal(row));
    else if (!isReleased) await insert();
  }

  let isReleased = false;
  await claim();
  const timer = setInterval(() => {
    // Without MongoDB, a node serves nothing.
    renew().catch(() => {});
  }, RENEW_MS);
  timer.unref();
  return {
    async release() {
      isReleased = true;
      clearInterval(timer);
      // Other nodes may still renew a shared row.
      if (!isShared) await nodes.deleteOne({ _id: role, node }).catch(() => {});
    },
  };
}

/** Whether a node was killed on this host, whose processes are known here. */
function isDead({ node, host, pid }: NodeRow): boolean {
  if (node === SHARED || host !== hostname() || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

const refusal = ({ _id, node, host, pid }: NodeRow): string =>
  node === SHARED
    ? `Nodes of the role ${_id} are running with NATS_URL (one on ${host}). Set NATS_URL for this one, too.`
    : `Another node of the role ${_id} is running without NATS_URL (process ${pid} on ${host}). Several nodes need NATS: ` +
      'set NATS_URL for each of them. See docs/scaling.md.';
