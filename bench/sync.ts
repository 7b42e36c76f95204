import { once } from 'node:events';
import { AutomergeDevice } from './sync/automerge-device.ts';
import type { LoadResult, LoadTask } from './sync/load.ts';
import { cpuMs, rssBytes, startProcess, stopProcess } from './sync/processes.ts';
import { startOurs, startRival, type BenchServer } from './sync/servers.ts';
import type { BenchRow } from './row.ts';

export interface SyncBenchOptions {
  /** How many pairs of devices append, one run each. */
  devices?: number[];
  seconds?: number;
  /** Documents of 20 messages that are held open while memory is measured. */
  openDocuments?: number;
  rounds?: number;
}

interface Appending extends LoadResult {
  /** Appends that reached the other device count: an overloaded server is busy with those that do not, too. */
  cpuPerAppendMs: number;
  databaseCpuPerAppendMs: number | null;
}

interface Memory {
  bytesPerDocument: number;
  /** What the rounds from the third on added. */
  growthBytes: number;
}

const GROUP = 'sync';
/** A server that has not opened a hundred documents by then is not waited for. */
const OPEN_MS = 10_000;
/** Until the engine has compiled what is used most, of all servers alike. */
const WARM_UP_SECONDS = 20;
const MESSAGES = 20;
const P50_TARGET_MS: Record<number, number> = { 200: 10, 1000: 50 };
const GROWTH_MAX_BYTES = 10 * 1024 * 1024;

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Ours beside automerge-repo's own server and Hocuspocus, each in a process of its own, the devices in another. */
export async function syncBench(options: SyncBenchOptions = {}): Promise<BenchRow[]> {
  const { devices = [200, 1000], seconds = 15, openDocuments = 3000, rounds = 10 } = options;
  const starts = {
    ours: startOurs,
    stock: () => startRival('stock'),
    hocuspocus: () => startRival('Hocuspocus'),
  };
  const rows: BenchRow[] = [];
  for (const count of devices) {
    const measured: Record<string, Appending> = {};
    for (const [name, start] of Object.entries(starts))
      measured[name] = await withServer(start, (server) => appending(server, count, seconds));
    rows.push(
      ...appendingRows(count, measured['ours']!, measured['stock']!, measured['hocuspocus']!),
    );
  }
  const ours = await withServer(startOurs, (server) => memory(server, openDocuments, rounds));
  const stock = await withServer(starts.stock, (server) => memory(server, openDocuments, rounds));
  rows.push(...memoryRows(ours, stock));
  return rows;
}

async function withServer<T>(
  start: () => Promise<BenchServer>,
  measure: (server: BenchServer) => Promise<T>,
): Promise<T> {
  const server = await start();
  try {
    const measured = await measure(server);
    console.error(`  ${server.name}: ${JSON.stringify(measured)}`);
    return measured;
  } finally {
    await server.stop();
  }
}

async function appending(server: BenchServer, count: number, seconds: number): Promise<Appending> {
  const task: LoadTask = {
    url: server.url,
    protocol: server.protocol,
    documents: await server.documents(count),
    creates: server.creates,
    warmUpSeconds: WARM_UP_SECONDS,
    seconds,
  };
  const { child } = await startProcess('./load-process.ts');
  try {
    const read = () => ({
      cpu: cpuMs(server.pid),
      database: server.databasePid ? cpuMs(server.databasePid) : null,
    });
    let before = read();
    let after = before;
    child.send({ task });
    for (;;) {
      const [message] = (await once(child, 'message')) as [
        { measuring?: boolean; result?: LoadResult },
      ];
      if (message.result) {
        const { result } = message;
        const used = after.database === null ? null : after.database - before.database!;
        return {
          ...result,
          cpuPerAppendMs: (after.cpu - before.cpu) / result.seenMeanwhile,
          databaseCpuPerAppendMs: used === null ? null : used / result.seenMeanwhile,
        };
      }
      if (message.measuring) before = read();
      else after = read();
      child.send({ go: true });
    }
  } finally {
    await stopProcess(child);
  }
}

/** What open documents weigh, and whether opening and closing a thousand of them over and over leaves anything behind. */
async function memory(server: BenchServer, openDocuments: number, rounds: number): Promise<Memory> {
  const documents = await server.documents(openDocuments, true);
  const open = async (some: LoadTask['documents'], fill: boolean) => {
    const device = await new AutomergeDevice(server.url, some[0]!.cookie).join();
    for (let i = 0; i < some.length; i += 100) {
      const batch = some.slice(i, i + 100);
      if (fill && server.creates) for (const { id } of batch) device.create(id);
      else await Promise.race([Promise.all(batch.map(({ id }) => device.open(id))), wait(OPEN_MS)]);
      if (fill)
        for (const { id } of batch)
          for (let n = 0; n < MESSAGES; n++) device.append(id, 'm'.repeat(80));
      await wait(50);
    }
    await wait(2000);
    return device;
  };
  // The first thousand are there for what the process needs once.
  const first = await server.documents(1000, true);
  await (await open(first, true)).close();
  await wait(1000);
  const empty = rssBytes(server.pid);
  const device = await open(documents, true);
  const bytesPerDocument = (rssBytes(server.pid) - empty) / openDocuments;
  await device.close();
  let settled = 0;
  for (let round = 1; round <= rounds; round++) {
    await (await open(documents.slice(0, 1000), false)).close();
    await wait(500);
    if (round === 3) settled = rssBytes(server.pid);
  }
  return { bytesPerDocument, growthBytes: rssBytes(server.pid) - settled };
}

const ms = (value: number | null) =>
  value !== null && Number.isFinite(value)
    ? `${value.toFixed(value < 10 ? 2 : 0)} ms`
    : 'none arrived';
const times = (ours: number | null, rival: number | null) =>
  ours !== null && rival ? `${(ours / rival).toFixed(2)}×` : '';

function appendingRows(
  count: number,
  ours: Appending,
  stock: Appending,
  hocuspocus: Appending,
): BenchRow[] {
  const row = (rest: Omit<BenchRow, 'group'>): BenchRow => ({ group: GROUP, ...rest });
  const target = P50_TARGET_MS[count];
  const perAppend = ours.cpuPerAppendMs;
  const latency = ({ p50Ms, p99Ms }: LoadResult) => `${ms(p50Ms)} / ${ms(p99Ms)}`;
  const missing = ({ late, lost, appends }: LoadResult) => `${late} / ${lost} of ${appends}`;
  return [
    row({
      row: `${count} devices: server CPU per append, against stock (its files)`,
      ours: ms(perAppend),
      rival: ms(stock.cpuPerAppendMs),
      ratio: times(perAppend, stock.cpuPerAppendMs),
      target: '≤ 0.25×',
      ok: perAppend <= stock.cpuPerAppendMs / 4,
    }),
    row({
      row: `${count} devices: server CPU per append, against Hocuspocus (storing nothing)`,
      ours: ms(perAppend),
      rival: ms(hocuspocus.cpuPerAppendMs),
      ratio: times(perAppend, hocuspocus.cpuPerAppendMs),
      target: 'aim: 1×',
      ok: null,
    }),
    row({
      row: `${count} devices: MongoDB's CPU per append, beside it`,
      ours: ours.databaseCpuPerAppendMs === null ? 'elsewhere' : ms(ours.databaseCpuPerAppendMs),
      rival: 'none',
      ratio: '',
      target: '',
      ok: null,
    }),
    row({
      row: `${count} devices: p50 / p99, against stock`,
      ours: latency(ours),
      rival: latency(stock),
      ratio: times(ours.p50Ms, stock.p50Ms),
      target: target ? `p50 < ${target} ms` : '',
      ok: target ? ours.p50Ms !== null && ours.p50Ms < target : null,
    }),
    row({
      row: `${count} devices: p50 / p99, against Hocuspocus`,
      ours: latency(ours),
      rival: latency(hocuspocus),
      ratio: times(ours.p50Ms, hocuspocus.p50Ms),
      target: '',
      ok: null,
    }),
    row({
      row: `${count} devices: later than 1 s / lost`,
      ours: missing(ours),
      rival: `${missing(stock)}; ${missing(hocuspocus)}`,
      ratio: '',
      target: 'none',
      ok: ours.late + ours.lost === 0,
    }),
  ];
}

function memoryRows(ours: Memory, stock: Memory): BenchRow[] {
  const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
  const MB = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
  return [
    {
      group: GROUP,
      row: `memory per open document of ${MESSAGES} messages, against stock`,
      ours: kB(ours.bytesPerDocument),
      rival: kB(stock.bytesPerDocument),
      ratio: times(ours.bytesPerDocument, stock.bytesPerDocument),
      target: '≤ 0.1×',
      ok: ours.bytesPerDocument <= stock.bytesPerDocument / 10,
    },
    {
      group: GROUP,
      row: 'memory grown from the 3rd to the 10th round of opening and closing 1,000 documents',
      ours: MB(ours.growthBytes),
      rival: MB(stock.growthBytes),
      ratio: '',
      target: `< ${MB(GROWTH_MAX_BYTES)}`,
      ok: ours.growthBytes < GROWTH_MAX_BYTES,
    },
  ];
}
