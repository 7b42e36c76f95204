import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MongoClient } from 'mongodb';
import { z } from 'zod';
import { PROCESSES } from '../../scripts/stack/stack.ts';
import { cpuMs, rssBytes } from '../sync/processes.ts';

/** The unit of CPU times in /proc. */
const TICK_MS = 10;

/** Who uses the machine: the processes of the product, the load generator, and anything else. */
export const PRODUCT = [...PROCESSES, 'supervisor'] as const;
export const USERS = [...PRODUCT, 'generator', 'others'] as const;
export type User = (typeof USERS)[number];

interface Usage {
  cpuMs: number;
  rssBytes: number;
}

export interface Snapshot {
  takenAt: number;
  usage: Record<User, Usage>;
  /** How many reads and writes MongoDB has done. */
  operations: number;
}

/** Without reads of streams that wait for changes, and without pings. */
const OPERATIONS = [
  'aggregate',
  'count',
  'delete',
  'distinct',
  'find',
  'findAndModify',
  'insert',
  'update',
];

const nodes = z.array(z.object({ role: z.string(), pid: z.number().nullable() }));

/**
 * Returns what each process of the product that runs on a data directory has used since its start (Linux only).
 * @param supervisor the id of the process of `npm start`
 */
export async function takeSnapshot(
  dataDir: string,
  client: MongoClient,
  supervisor: number,
): Promise<Snapshot> {
  const usage = {} as Record<User, Usage>;
  for (const user of USERS) usage[user] = { cpuMs: 0, rssBytes: 0 };
  const listed = nodes.parse(JSON.parse(await readFile(join(dataDir, 'nodes.json'), 'utf8')));
  for (const { role, pid } of listed) {
    const name = PROCESSES.find((each) => each === role);
    if (name && pid !== null) usage[name] = { cpuMs: cpuMs(pid), rssBytes: rssBytes(pid) };
  }
  usage.supervisor = { cpuMs: cpuMs(supervisor), rssBytes: rssBytes(supervisor) };
  const own = process.cpuUsage();
  usage.generator = {
    cpuMs: (own.user + own.system) / 1000,
    rssBytes: process.memoryUsage.rss(),
  };
  const known = USERS.reduce((total, user) => total + usage[user].cpuMs, 0);
  usage.others = { cpuMs: (await busyMs()) - known, rssBytes: 0 };
  return { takenAt: performance.now(), usage, operations: await operationsOf(client) };
}

const status = z.object({
  metrics: z.object({ commands: z.record(z.string(), z.unknown()) }),
});
const command = z.object({ total: z.coerce.number() });

async function operationsOf(client: MongoClient): Promise<number> {
  const { metrics } = status.parse(await client.db('admin').command({ serverStatus: 1 }));
  return OPERATIONS.reduce((sum, name) => {
    const counted = command.safeParse(metrics.commands[name]);
    return sum + (counted.data?.total ?? 0);
  }, 0);
}

/** Returns how long the cores of this machine have worked, all together. */
async function busyMs(): Promise<number> {
  const [line = ''] = (await readFile('/proc/stat', 'utf8')).split('\n');
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = line
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softIrq) * TICK_MS;
}

/** Returns the CPU time of each between two snapshots, as a share of one core. */
export function coresBetween(before: Snapshot, after: Snapshot): Record<User, number> {
  const elapsed = after.takenAt - before.takenAt;
  const cores = {} as Record<User, number>;
  for (const user of USERS)
    cores[user] = Math.max(0, (after.usage[user].cpuMs - before.usage[user].cpuMs) / elapsed);
  return cores;
}
