import { availableParallelism, totalmem } from 'node:os';
import { quantile } from '../quantiles.ts';
import type { BenchRow } from '../result-row.ts';
import { ACTIONS, busiestRates, type Action } from './day.ts';
import { countOf, failuresOf, productCores, type Phase } from './phase.ts';
import { PRODUCT, USERS, type Snapshot, type User } from './process-usage.ts';
import type { SeededProduct } from './product.ts';

const MB = 1024 * 1024;
const GB = 1024 * MB;

export const P99_MAX_MS = 250;
const IDLE_MAX_MB = 500;
/** The target is about so many. */
const TARGET = { devices: 5_000, reports: 300, messages: 200 };

const row = (name: string, ours: string, target = '', ok: boolean | null = null): BenchRow => ({
  group: 'load',
  row: name,
  ours,
  target,
  ok,
});

export function machineRow({ database }: SeededProduct, owners: number): BenchRow {
  const memory = Math.round(totalmem() / GB);
  return row(
    'machine, shared with the generator',
    `${availableParallelism()} cores, ${memory} GB, Node ${process.version}, MongoDB ${database.version}, ${owners} seeded owners`,
  );
}

/** What idle devices and event streams cost in memory. */
export function idleRows(
  devices: number,
  streams: number,
  snapshots: { before: Snapshot; connected: Snapshot; devices: Snapshot; streams: Snapshot },
  idle: Phase,
): BenchRow[] {
  const grown = (from: Snapshot, to: Snapshot, user: User) =>
    to.usage[user].rssBytes - from.usage[user].rssBytes;
  const kBEach = (from: Snapshot, to: Snapshot, count: number, users: readonly User[]) =>
    users
      .map((each) => `${each} ${(grown(from, to, each) / 1024 / Math.max(1, count)).toFixed(0)} kB`)
      .join(', ');
  const holding = snapshots.devices.usage;
  const heldMb = (holding['sync-server'].rssBytes + holding.gateway.rssBytes) / MB;
  const isTarget = devices >= TARGET.devices;
  return [
    row(
      `memory of sync server and gateway with ${devices} idle devices`,
      `${heldMb.toFixed(0)} MB (${memoryOf(snapshots.devices)})`,
      isTarget ? `≤ ${IDLE_MAX_MB} MB` : '',
      isTarget ? heldMb <= IDLE_MAX_MB : null,
    ),
    row('memory right after they connected', memoryOf(snapshots.connected)),
    row('memory without devices', memoryOf(snapshots.before)),
    row(
      'memory per idle device',
      kBEach(snapshots.before, snapshots.devices, devices, [
        'sync-server',
        'api',
        'gateway',
        'supervisor',
      ]),
    ),
    row(
      `memory per event stream, of ${streams}`,
      kBEach(snapshots.devices, snapshots.streams, streams, ['api', 'gateway']),
    ),
    row('CPU while idle', coresOf(idle.cores)),
  ];
}

/** What each action costs in CPU time, and what a thousand owners cost in the busiest hour. */
export function costRows(
  costs: Partial<Record<Action, Phase>>,
  idle: Phase,
  devices: number,
  product: SeededProduct,
): BenchRow[] {
  const rows: BenchRow[] = [];
  let coresOfOwner = productCores(idle.cores) / Math.max(1, devices);
  for (const action of ACTIONS) {
    const phase = costs[action];
    if (!phase) continue;
    const count = Math.max(1, countOf(phase, action));
    const cost = (user: User) =>
      Math.max(0, phase.cpuMs[user] - idle.cores[user] * phase.elapsedMs) / count;
    const total = PRODUCT.reduce((sum, each) => sum + cost(each), 0);
    coresOfOwner += (total / 1000) * busiestRates(1)[action];
    const operations =
      (phase.operations - (idle.operations / idle.elapsedMs) * phase.elapsedMs) / count;
    const parts = [...PRODUCT, 'generator' as const].map(
      (each) => `${each} ${cost(each).toFixed(2)}`,
    );
    rows.push(
      row(
        `CPU of one of ${count} ${action}`,
        `${total.toFixed(2)} ms (${parts.slice(0, -1).join(', ')}), ${operations.toFixed(1)} operations of MongoDB; ${parts.at(-1)}`,
      ),
    );
  }
  rows.push(
    row(
      'CPU of a thousand owners in their busiest hour',
      `${(coresOfOwner * 1000 * 100).toFixed(1)}% of a core`,
    ),
    row(
      `owners that fill ${availableParallelism()} cores in that hour`,
      Math.round(availableParallelism() / coresOfOwner).toString(),
    ),
    row(
      'disk of a thousand owners',
      `${((product.database.bytesPerOwner * 1000) / MB).toFixed(1)} MB`,
    ),
  );
  return rows;
}

/** What was measured of reports and messages alone, which have targets. */
export function pairRows(phase: Phase): BenchRow[] {
  const { reports, messages } = phase.rates;
  const isTarget = reports >= TARGET.reports && messages >= TARGET.messages;
  return phaseRows(
    phase,
    `only ${round(reports)} reports/s, ${round(messages)} messages/s`,
    isTarget,
  );
}

/** What was measured in the busiest hour of so many owners. */
export function hourRows(phase: Phase, owners: number): BenchRow[] {
  const { pushes, opens, edits } = phase.results;
  return [
    ...phaseRows(phase, `busiest hour of ${owners} owners`, false),
    row('push, beyond the wait of 2 s', timesOf(pushes.times)),
    row('page open, with socket and stream', timesOf(opens.times)),
    row('edit, until saved', timesOf(edits.times)),
  ];
}

function phaseRows(phase: Phase, name: string, isTarget: boolean): BenchRow[] {
  const { results, warnings, seconds } = phase;
  const p99 = quantile(results.reports.times, 0.99);
  const all = ACTIONS.reduce((total, each) => total + countOf(phase, each), 0);
  return [
    row(
      `${name}: report, p50 / p95 / p99`,
      timesOf(results.reports.times),
      isTarget ? `p99 ≤ ${P99_MAX_MS} ms` : '',
      isTarget ? p99 <= P99_MAX_MS : null,
    ),
    row(
      'message to friend’s device',
      `${timesOf(results.messages.times)}, ${(results.messages.times.length / seconds).toFixed(0)} per second`,
    ),
    row('warning', `${timesOf(warnings)}, ${warnings.length} of them`),
    row(
      'failed',
      `${failuresOf(phase)} of ${all}`,
      isTarget ? '0' : '',
      isTarget ? failuresOf(phase) === 0 : null,
    ),
    row('CPU', `${coresOf(phase.cores)}; generator late by ${phase.generatorLagMs.toFixed(0)} ms`),
    row('memory', memoryOf(phase.after)),
  ];
}

/** The most owners whose busiest hour was held, and which process was the busiest in the first one that wasn't. */
export function bendRow(
  hours: readonly { owners: number; phase: Phase }[],
  isOverloaded: (phase: Phase) => boolean,
): BenchRow {
  const at = hours.findIndex(({ phase }) => isOverloaded(phase));
  const bend = hours[at];
  const held = bend ? hours[at - 1] : hours.at(-1);
  const busiest =
    bend && PRODUCT.toSorted((one, other) => bend.phase.cores[other] - bend.phase.cores[one])[0];
  return row(
    'where it bends',
    `held ${held?.owners ?? 'no'} owners${bend ? `, not ${bend.owners}; busiest there: ${busiest}` : ''}`,
  );
}

const timesOf = (values: readonly number[]): string =>
  values.length === 0
    ? 'none'
    : `${[0.5, 0.95, 0.99].map((share) => quantile(values, share).toFixed(0)).join(' / ')} ms`;

const round = (value: number): number => Math.round(value * 10) / 10;

const coresOf = (cores: Record<User, number>): string => {
  const product = productCores(cores);
  const parts = USERS.map((each) => `${each} ${(cores[each] * 100).toFixed(0)}`);
  return `${(product * 100).toFixed(0)}% of a core (${parts.join(', ')})`;
};

const memoryOf = ({ usage }: Snapshot): string =>
  [...PRODUCT, 'generator' as const]
    .map((each) => `${each} ${Math.round(usage[each].rssBytes / MB)}`)
    .join(', ')
    .concat(' MB');
