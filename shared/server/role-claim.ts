import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import type { Collection } from 'mongodb';
import { DRAIN_MS } from '../bus/bus.ts';
import { newId } from '../ids.ts';
import { expireLease, takeLease, type LeaseRow } from './lease.ts';
import { CLOSE_MAX_MS, stillStarting } from './run-server.ts';

/** `nodes`: one row per role, so that two nodes of a role do not run without a bus between them. Nodes with NATS share it. */
export interface NodeRow extends LeaseRow {
  /** The role. */
  _id: 'api' | 'sync-server';
  /** The host and the process of the node that renewed it last. */
  host: string;
  pid: number;
  /** How often nodes of the role started. */
  starts?: number;
}

/** About a metric of each server: the only trace of a process that ends before Prometheus reads anything of it. */
export const STARTS_HELP = 'How often nodes of this role started since the installation.';

/** The holder where nodes are connected by NATS. */
const SHARED = 'shared';
const RENEW_MS = 2_000;
/** A row that was not renewed for this long is of a node that was killed. */
const LEASE_MS = 8_000;
const CHECK_MS = 250;
/** More renewals than a node makes while it drains and closes: its role is not free before. */
const MAX_RENEWALS = Math.ceil((DRAIN_MS + CLOSE_MAX_MS) / RENEW_MS) + 1;

export interface RoleClaim {
  /** Returns how often nodes of the role started. */
  starts(): Promise<number | undefined>;
  /** Ends the claim, so that another node can start at once. */
  release(): Promise<void>;
}

/**
 * Claims a role for this process. Waits for a node that is closing (at most 14 s), and until the lease of a node that was killed
 * runs out (at most 8 s; on the same host, not at all).
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
  const holder = isShared ? SHARED : newId();
  const take = () =>
    takeLease(nodes, role, holder, {
      lastsMs: LEASE_MS,
      fields: { host: hostname(), pid: process.pid },
    });

  let seen: NodeRow | null = null;
  for (let renewals = 0; ; await wait(CHECK_MS)) {
    stillStarting();
    const row: NodeRow | null = await take();
    if (!row) continue;
    if (row.holder === holder) break;
    if (isDead(row)) await expireLease(nodes, role, row.holder);
    const isRenewed = row.holder === seen?.holder && row.expires_at > seen.expires_at;
    if (isRenewed && ++renewals === MAX_RENEWALS) throw new Error(refusal(row));
    seen = row;
  }

  await nodes.updateOne({ _id: role }, { $inc: { starts: 1 } });

  let isReleased = false;
  let renewing: Promise<void> = Promise.resolve();
  async function renew(): Promise<void> {
    // Without MongoDB, a node serves nothing.
    const row = await take().catch(() => null);
    if (row && row.holder !== holder && !isReleased) onLost(refusal(row));
  }
  const timer = setInterval(() => {
    renewing = renew();
  }, RENEW_MS);
  timer.unref();
  return {
    starts: async () => (await nodes.findOne({ _id: role }))?.starts,
    async release() {
      isReleased = true;
      clearInterval(timer);
      await renewing;
      // Other nodes may still renew a shared row.
      if (!isShared) await expireLease(nodes, role, holder).catch(() => {});
    },
  };
}

/** Whether a node on this host, whose processes are known here, was killed. */
function isDead({ holder, host, pid }: NodeRow): boolean {
  if (holder === SHARED || host !== hostname() || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

const refusal = ({ _id, holder, host, pid }: NodeRow): string =>
  holder === SHARED
    ? `Nodes of the role ${_id} are running with NATS_URL (one on ${host}). Set NATS_URL for this one, too.`
    : `Another node of the role ${_id} is running without NATS_URL (process ${pid} on ${host}). Several nodes need NATS: ` +
      'set NATS_URL for each of them. See docs/scaling.md.';
