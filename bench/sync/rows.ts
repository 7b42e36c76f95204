import type { BenchRow } from '../result-row.ts';
import type { Appending } from './appending.ts';
import { MESSAGES, type Memory } from './memory.ts';
import type { Reconnecting } from './reconnecting.ts';
import type { RefusalTimes } from './refusals.ts';

/** A measurement, or why a rival did not come to its end. */
export type Outcome<T> = T | { failed: string };

const CPU_TARGET = 1.2;
const P50_TARGET_MS = 10;
const GROWTH_MAX_BYTES = 10 * 1024 * 1024;
/** Medians of the same work differ by less. */
const REFUSALS_DIFFER = 0.25;

const row = (rest: Omit<BenchRow, 'group'>): BenchRow => ({ group: 'sync', ...rest });
const ms = (value: number | null) =>
  value !== null && Number.isFinite(value)
    ? `${value.toFixed(value < 10 ? 2 : 0)} ms`
    : 'none arrived';
const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
const MB = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
const times = (ours: number | null, rival: number | null) =>
  ours !== null && rival && Number.isFinite(rival) ? `${(ours / rival).toFixed(2)}×` : '';

export const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

export const failedRow = (what: string, error: unknown): BenchRow =>
  row({
    row: what,
    ours: `failed: ${reasonOf(error)}`,
    ok: false,
  });

function told<T extends object>(outcome: Outcome<T>, words: (measured: T) => string): string {
  return 'failed' in outcome ? `failed: ${outcome.failed}` : words(outcome);
}

function figure<T extends object>(
  outcome: Outcome<T>,
  read: (measured: T) => number | null,
): number | null {
  return 'failed' in outcome ? null : read(outcome);
}

/** The comparison is with Hocuspocus, which stores nothing; ours has stored what it sends. */
export function appendingRows(
  count: number,
  ours: Appending,
  hocuspocus: Outcome<Appending>,
): BenchRow[] {
  const cpu = (measured: Appending) => measured.cpuPerArrivalMs;
  const p50 = (measured: Appending) => measured.p50Ms;
  const latency = ({ p50Ms, p99Ms }: Appending) => `${ms(p50Ms)} / ${ms(p99Ms)}`;
  const missing = ({ late, lost, appends }: Appending) => `${late} / ${lost} of ${appends}`;
  const rivalCpu = figure(hocuspocus, cpu);
  return [
    row({
      row: `${count} devices: server CPU per append that arrived, against Hocuspocus (storing nothing)`,
      ours: ms(cpu(ours)),
      rival: told(hocuspocus, (it) => ms(cpu(it))),
      ratio: times(cpu(ours), rivalCpu),
      target: `≤ ${CPU_TARGET}×`,
      ok: rivalCpu === null ? null : cpu(ours) <= CPU_TARGET * rivalCpu,
    }),
    row({
      row: `${count} devices: MongoDB's CPU per append that arrived, beside it`,
      ours: ours.databaseCpuPerArrivalMs === null ? 'elsewhere' : ms(ours.databaseCpuPerArrivalMs),
      rival: 'none',
      ok: null,
    }),
    row({
      row: `${count} devices: p50 / p99, against Hocuspocus`,
      ours: latency(ours),
      rival: told(hocuspocus, latency),
      ratio: times(ours.p50Ms, figure(hocuspocus, p50)),
      target: `p50 ≤ ${P50_TARGET_MS} ms`,
      ok: ours.p50Ms !== null && ours.p50Ms <= P50_TARGET_MS,
    }),
    row({
      row: `${count} devices: later than 1 s / lost`,
      ours: missing(ours),
      rival: told(hocuspocus, missing),
      target: 'none',
      ok: ours.late + ours.lost === 0,
    }),
  ];
}

export function memoryRows(ours: Memory, stock: Outcome<Memory>, rounds: number): BenchRow[] {
  const weight = (measured: Memory) => measured.bytesPerDocument;
  const growth = ({ growthBytes, roundsDone }: Memory) =>
    growthBytes === null ? `only ${roundsDone} rounds in time` : MB(growthBytes);
  const stockWeight = figure(stock, weight);
  return [
    row({
      row: `memory held per open, idle document of ${MESSAGES} messages, against stock`,
      ours: kB(weight(ours)),
      rival: told(stock, (it) => kB(weight(it))),
      ratio: times(weight(ours), stockWeight),
      target: '≤ 0.1×',
      ok: stockWeight === null ? null : weight(ours) <= stockWeight / 10,
    }),
    row({
      row: `memory grown from the 3rd to the ${rounds}th round of opening and closing 1,000 documents`,
      ours: growth(ours),
      rival: told(stock, growth),
      target: `< ${MB(GROWTH_MAX_BYTES)}`,
      ok: ours.growthBytes !== null && ours.growthBytes < GROWTH_MAX_BYTES,
    }),
  ];
}

export function reconnectingRows(
  count: number,
  ours: Reconnecting,
  stock: Outcome<Reconnecting>,
): BenchRow[] {
  const against = (
    what: string,
    read: (it: Reconnecting) => number,
    words: (n: number) => string,
  ) => {
    const rival = figure(stock, read);
    return row({
      row: `${count} unchanged documents reconnect: ${what}, against stock`,
      ours: words(read(ours)),
      rival: told(stock, (it) => words(read(it))),
      ratio: times(read(ours), rival),
      target: '≤ 0.1×',
      ok: rival === null ? null : read(ours) <= rival / 10,
    });
  };
  return [against('time', (it) => it.ms, ms), against('bytes', (it) => it.bytes, kB)];
}

/** The response time must not reveal whether a document exists. */
export function refusalRow({ othersMs, nobodysMs }: RefusalTimes): BenchRow {
  return row({
    row: "refusal of somebody else's document against one that nobody has, p50",
    ours: ms(othersMs),
    rival: ms(nobodysMs),
    ratio: times(othersMs, nobodysMs),
    target: `1× ± ${REFUSALS_DIFFER}`,
    ok: Math.abs(othersMs / nobodysMs - 1) < REFUSALS_DIFFER,
  });
}
