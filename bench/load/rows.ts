import { availableParallelism, totalmem } from 'node:os';
import { quantile } from '../quantiles.ts';
import type { BenchRow } from '../result-row.ts';
import { ACTIONS, busiestRate, type Action } from './day.ts';
import { countOf, failuresOf, type Phase } from './phase.ts';
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
  let coresOfOwner = idleCores(idle) / Math.max(1, devices);
  for (const action of ACTIONS) {
    const phase = costs[action];
    if (!phase) continue;
    const count = Math.max(1, countOf(phase, action));
    const cost = (user: User) =>
      Math.max(0, phase.cpuMs[user] - idle.cores[user] * phase.elapsedMs) / count;
    const total = PRODUCT.reduce((sum, each) => sum + cost(each), 0);
    coresOfOwner += (total / 1000) * busiestRate(action);
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

const idleCores = ({ cores }: Phase): number => PRODUCT.reduce((sum, each) => sum + cores[each], 0);

/** What was measured while several kinds of actions happened at once. The targets are of reports and messages alone. */
export function stepRows(phase: Phase): BenchRow[] {
  const { rates, results, warnings, seconds } = phase;
  const isOnly = rates.pushes + rates.opens + rates.edits === 0;
  const sent = rates.messages + rates.pushes;
  const name = `${round(rates.reports)} reports/s, ${round(sent)} messages/s`;
  const isTarget = isOnly && rates.reports >= TARGET.reports && sent >= TARGET.messages;
  const p99 = quantile(results.reports.times, 0.99);
  const all = ACTIONS.reduce((total, each) => total + countOf(phase, each), 0);
  const times = (values: readonly number[]) =>
    values.length === 0
      ? 'none'
      : `${[0.5, 0.95, 0.99].map((share) => quantile(values, share).toFixed(0)).join(' / ')} ms`;
  return [
    row(
      `${isOnly ? 'only ' : ''}${name}: report, p50 / p95 / p99`,
      times(results.reports.times),
      isTarget ? `p99 ≤ ${P99_MAX_MS} ms` : '',
      isTarget ? p99 <= P99_MAX_MS : null,
    ),
    row(
      'message to friend’s device',
      `${times(results.messages.times)}, ${(results.messages.times.length / seconds).toFixed(0)} per second`,
    ),
    ...(isOnly
      ? []
      : [
          row('push, beyond the wait of 2 s', times(results.pushes.times)),
          row('page open, with socket and stream', times(results.opens.times)),
          row('edit, until saved', times(results.edits.times)),
        ]),
    row('warning', `${times(warnings)}, ${warnings.length} of them`),
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

/** The highest step that was held, the first one that wasn't, and which process was the busiest there. */
export function bendRow(steps: readonly Phase[], isOverloaded: (step: Phase) => boolean): BenchRow {
  const nameOf = ({ rates }: Phase) =>
    `${round(rates.reports)} reports/s with ${round(rates.messages + rates.pushes)} messages/s`;
  const at = steps.findIndex(isOverloaded);
  const bend = steps[at];
  const held = bend ? steps[at - 1] : steps.at(-1);
  const busiest = bend && PRODUCT.toSorted((one, other) => bend.cores[other] - bend.cores[one])[0];
  return row(
    'where it bends',
    `held ${held ? nameOf(held) : 'nothing'}${bend ? `, not ${nameOf(bend)}; busiest there: ${busiest}` : ''}`,
  );
}

const round = (value: number): number => Math.round(value * 10) / 10;

const coresOf = (cores: Record<User, number>): string => {
  const product = PRODUCT.reduce((sum, each) => sum + cores[each], 0);
  const parts = USERS.map((each) => `${each} ${(cores[each] * 100).toFixed(0)}`);
  return `${(product * 100).toFixed(0)}% of a core (${parts.join(', ')})`;
};

const memoryOf = ({ usage }: Snapshot): string =>
  [...PRODUCT, 'generator' as const]
    .map((each) => `${each} ${Math.round(usage[each].rssBytes / MB)}`)
    .join(', ')
    .concat(' MB');
