import { readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { askNats } from '../stack/nats.ts';
import { NODES_FILE, type NodeEntry } from '../stack/nodes-file.ts';

const HELP = `npm run status [-- --prometheus]

Prints the state of the installation whose data is in DATA_DIR (default ./data): its processes, what they do, and the disk.
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
  const targets = entries.flatMap(({ metrics }) => (metrics ? [new URL(metrics).host] : []));
  console.log(JSON.stringify([{ targets }]));
  process.exit(0);
}
const states = await Promise.all(entries.map(describe));
for (const { lines } of states) console.log(lines.join('\n'));
const { bavail, blocks, bsize } = await statfs(dataDir);
const [free, size] = [bavail, blocks].map((count) => Math.round((count * bsize) / MB));
console.log(`disk of ${dataDir}: ${free} MB of ${size} MB free`);
process.exitCode = states.every(({ isUp }) => isUp) ? 0 : 1;

async function readNodes(): Promise<NodeEntry[]> {
  try {
    return JSON.parse(await readFile(join(dataDir, NODES_FILE), 'utf8')) as NodeEntry[];
  } catch {
    console.error(
      `Leashwise isn't running in ${dataDir}. Start it with npm start, or set DATA_DIR.`,
    );
    process.exit(1);
  }
}

async function describe(node: NodeEntry): Promise<{ isUp: boolean; lines: string[] }> {
  const title = `${node.role}${node.pid === null ? '' : ` (process ${node.pid})`}`;
  const [state, metrics] = await Promise.all([
    stateOf(node).catch((error: unknown) => `no answer: ${String(error)}`),
    readMetrics(node.metrics).catch(() => new Map<string, number>()),
  ]);
  const memory = metrics.get('process_resident_memory_bytes');
  const lines = [`${title}: ${state}${memory ? `, ${Math.round(memory / MB)} MB` : ''}`];
  for (const [metric, name] of Object.entries(SHOWN[node.role] ?? {}))
    if (metrics.has(metric)) lines.push(`  ${name}: ${metrics.get(metric)}`);
  return { isUp: state === 'ready', lines };
}

/** @throws when it gives no answer */
async function stateOf({ role, url }: NodeEntry): Promise<string> {
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
