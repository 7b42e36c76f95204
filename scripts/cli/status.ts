import { readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { askNats } from '#shared/bus/ask-nats.ts';
import { NODES_FILE, type NodeEntry } from '../stack/nodes-file.ts';

const HELP = `npm run admin -- status [--prometheus]

Prints the state of the installation whose data is in DATA_DIR (default ./data): its processes, what they do, and the disk. Without one, of
the nodes of docker-compose.yml or the systemd units on this machine (monitoring/production-targets.json).
Exits with 1 if a process doesn't answer.

--prometheus  prints the addresses of the metrics as Prometheus reads them from a file (monitoring/prometheus.yml)`;

const TIMEOUT_MS = 5_000;
const MB = 1024 * 1024;

/** The rows of a process: the metric, and its name here. */
const SHOWN: Partial<Record<NodeEntry['role'], Record<string, string>>> = {
  api: {
    leashwise_walkers: 'walkers',
    leashwise_event_streams: 'event streams',
    leashwise_warning_distance_feet_count: 'warnings since its start',
    leashwise_mail_queue_waiting: 'emails and texts to send',
    leashwise_donations_pending: 'open donations',
    leashwise_backup_timestamp_seconds: 'newest backup',
    leashwise_certificate_expires_timestamp_seconds: 'the certificate ends',
    leashwise_mongodb_members_down: 'members of MongoDB that are down',
    leashwise_bus_members_down: 'NATS servers that are down',
    leashwise_mongodb_disk_free_ratio: 'free on the disk of MongoDB',
  },
  'sync-server': {
    leashwise_sockets: 'devices',
    leashwise_open_documents: 'open documents',
    leashwise_log_records: 'log records to compact',
  },
};

const [option] = process.argv.slice(2);
if (option !== undefined && option !== '--prometheus') {
  console.log(HELP);
  process.exit(option === '--help' ? 0 : 1);
}
const dataDir = process.env['DATA_DIR'] || './data';
const entries = await readNodes();
if (option) {
  const targets = entries.flatMap(({ role, metrics }) =>
    metrics ? [{ targets: [new URL(metrics).host], labels: { role } }] : [],
  );
  console.log(JSON.stringify(targets));
  process.exit(0);
}
const states = await Promise.all(entries.map(describe));
for (const { lines } of states) console.log(lines.join('\n'));
const disk = await statfs(dataDir).catch(() => null);
if (disk) {
  const [free, size] = [disk.bavail, disk.blocks].map((count) =>
    Math.round((count * disk.bsize) / MB),
  );
  console.log(`disk of ${dataDir}: ${free} MB of ${size} MB free`);
}
process.exitCode = states.every(({ isUp }) => isUp) ? 0 : 1;

async function readNodes(): Promise<NodeEntry[]> {
  try {
    return JSON.parse(await readFile(join(dataDir, NODES_FILE), 'utf8')) as NodeEntry[];
  } catch {
    const nodes = await productionNodes();
    const answers = await Promise.allSettled(nodes.map(({ metrics }) => readMetrics(metrics)));
    if (answers.some(({ status }) => status === 'fulfilled')) return nodes;
    console.error(
      `Leashwise isn't running in ${dataDir}. Start it with npm start, or set DATA_DIR.`,
    );
    process.exit(1);
  }
}

/** The nodes of docker-compose.yml and of the systemd units, which run on this machine or not. */
async function productionNodes(): Promise<NodeEntry[]> {
  const path = join(import.meta.dirname, '../../monitoring/production-targets.json');
  const groups = JSON.parse(await readFile(path, 'utf8')) as {
    targets: string[];
    labels: { role: NodeEntry['role'] };
  }[];
  return groups.flatMap(({ targets, labels: { role } }) =>
    targets.map((host) => ({
      role,
      url: `http://${host}`,
      metrics: `http://${host}/metrics`,
      pid: null,
    })),
  );
}

async function describe(node: NodeEntry): Promise<{ isUp: boolean; lines: string[] }> {
  const { role, pid } = node;
  const metrics = await readMetrics(node.metrics).catch(() => null);
  const state = await stateOf(node, metrics).catch(
    (error: unknown) => `no answer: ${String(error)}`,
  );
  // Not the address of MongoDB, which may contain a password.
  const where = pid === null ? node.metrics && new URL(node.metrics).host : `process ${pid}`;
  const memory = metrics?.get('process_resident_memory_bytes');
  const lines = [
    `${role}${where ? ` (${where})` : ''}: ${state}${memory ? `, ${Math.round(memory / MB)} MB` : ''}`,
  ];
  for (const [metric, name] of Object.entries(SHOWN[role] ?? {})) {
    const value = metrics?.get(metric);
    if (value !== undefined) lines.push(`  ${name}: ${shown(metric, value)}`);
  }
  return { isUp: state === 'ready', lines };
}

function shown(metric: string, value: number): string {
  if (metric.endsWith('_timestamp_seconds')) return new Date(value * 1000).toISOString();
  return metric.endsWith('_ratio') ? `${Math.round(100 * value)}%` : String(value);
}

/** @throws when it gives no answer */
async function stateOf(
  { role, url, pid, metrics: metricsUrl }: NodeEntry,
  metrics: ReadonlyMap<string, number> | null,
): Promise<string> {
  if (pid === null && metricsUrl) {
    if (!metrics) throw new Error(`none from ${metricsUrl}`);
    return metrics.get('leashwise_ready') === 0 ? 'not ready' : 'ready';
  }
  if (role === 'nats') {
    await askNats(Number(new URL(url).port), AbortSignal.timeout(TIMEOUT_MS));
    return 'ready';
  }
  if (role === 'mongodb') {
    const client = new MongoClient(url, { serverSelectionTimeoutMS: TIMEOUT_MS });
    try {
      await client.db('admin').command({ ping: 1 }, { timeoutMS: TIMEOUT_MS });
      return 'ready';
    } finally {
      await client.close();
    }
  }
  const path = role === 'sync-server' ? '/health' : '/api/health';
  const response = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return response.ok ? 'ready' : `not ready: ${await response.text()}`;
}

/** Returns the values without labels of their own, by name. */
async function readMetrics(url: string | undefined): Promise<Map<string, number>> {
  if (!url) return new Map();
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const values = (await response.text()).matchAll(/^(\w+)\{process="[^"]+"\} (\S+)$/gmu);
  return new Map([...values].map(([, name = '', value]) => [name, Number(value)]));
}
