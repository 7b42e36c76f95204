import { availableParallelism, tmpdir } from 'node:os';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { createDog, listDogs } from '#shared/dogs/contract.ts';
import { listFriends } from '#shared/friends/contract.ts';
import { searchLocations } from '#shared/locations/contract.ts';
import { saveProfile } from '#shared/profile/contract.ts';
import { reportLocation } from '#shared/proximity/contract.ts';
import { listRecentEncounters } from '#shared/walks/contract.ts';
import { buildIfStale } from '../scripts/build/build-if-stale.ts';
import { signInMember, type Visitor } from '../scripts/cli/api-session.ts';
import { freePort } from '../scripts/stack/ports.ts';
import { PROCESSES, type ProcessName } from '../scripts/stack/stack.ts';
import { startTerminal } from '../tests/terminal.ts';
import { friends } from './kill/friends.ts';
import type { Writer } from './kill/writer.ts';
import { connectIdleDevices, DEVICES_PER_OWNER } from './load/idle-devices.ts';
import { paced, quantile, type Paced } from './load/paced.ts';
import { usageOf, type Usage } from './load/process-usage.ts';
import type { BenchRow } from './result-row.ts';

const positive = (usual: number) => z.coerce.number().int().positive().default(usual);

/** Of the environment, such as LOAD_REPORTS=300. */
const settings = z.object({
  /** Position reports per second in the last step; those before have a quarter and a half of everything. */
  LOAD_REPORTS: positive(300),
  /** Chat messages per second. */
  LOAD_MESSAGES: positive(200),
  /** Devices that are connected and do nothing. */
  LOAD_DEVICES: z.coerce.number().int().nonnegative().default(5_000),
  /** How long each step is measured. */
  LOAD_SECONDS: positive(60),
});

/** By DESIGN of the day below: an owner reports for half an hour each 5 s, writes 10 messages, opens 20 pages, and makes 3 edits. */
const REPORTS_PER_DAY = 360;
const OPENS_PER_REPORT = 20 / REPORTS_PER_DAY;
const EDITS_PER_REPORT = 3 / REPORTS_PER_DAY;
/** Of a day's walks are in the busiest hour. */
const BUSIEST_HOUR = 0.2;
const REPORT_EVERY_S = 5;
/** Each device of the chat sends so many messages per second: bench/kill/friends.ts. */
const MESSAGES_PER_DEVICE = 4;
const STEPS = [0.25, 0.5, 1];
const SETTLE_MS = 3_000;
const P99_MAX_MS = 250;
const IDLE_MAX_MB = 500;
const MB = 1024 * 1024;

/** Simulates the busiest hour of realistic days at increasing rates, and says what each process needs. */
export async function loadBench(interrupted: AbortSignal): Promise<BenchRow[]> {
  const wanted = settings.parse(process.env);
  await buildIfStale(process.env, console.error);
  const dataDir = await mkdtemp(join(tmpdir(), 'leashwise-load-'));
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const terminal = startTerminal({ PORT: String(port), DATA_DIR: dataDir });
  const rows: BenchRow[] = [];
  const closers: (() => void)[] = [];
  try {
    await terminal.ready();
    const supervisor = terminal.child.pid ?? 0;
    const chatters = 2 * Math.ceil(wanted.LOAD_MESSAGES / MESSAGES_PER_DEVICE / 2);
    const walkers = Math.max(
      wanted.LOAD_REPORTS * REPORT_EVERY_S,
      Math.ceil(wanted.LOAD_DEVICES / DEVICES_PER_OWNER),
    );
    const owners = await signUp(origin, walkers + chatters, interrupted);
    const talking: Writer[] = [];
    for (let i = walkers; i + 1 < owners.length; i += 2)
      talking.push(...(await friends(origin, [owners[i]!, owners[i + 1]!])));
    closers.push(() => talking.forEach((writer) => writer.close()));

    const before = await usageOf(supervisor);
    const disconnect = await connectIdleDevices(
      origin,
      owners.slice(0, walkers),
      wanted.LOAD_DEVICES,
    );
    closers.push(disconnect);
    await wait(SETTLE_MS);
    rows.push(idleRow(wanted.LOAD_DEVICES, before, await usageOf(supervisor)));
    for (const step of STEPS) {
      interrupted.throwIfAborted();
      const rates = { reports: wanted.LOAD_REPORTS * step, messages: wanted.LOAD_MESSAGES * step };
      console.error(`  ${rates.reports} reports/s, ${rates.messages} messages/s`);
      rows.push(
        ...(await measureStep(origin, supervisor, rates, wanted.LOAD_SECONDS, {
          walking: owners.slice(0, walkers),
          talking: talking.slice(0, Math.ceil(talking.length * step)),
        })),
      );
    }
    return rows;
  } finally {
    for (const close of closers) close();
    terminal.child.kill('SIGTERM');
    await terminal.exit;
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Signs owners up, with a profile and a dog each. */
async function signUp(origin: string, count: number, interrupted: AbortSignal): Promise<Visitor[]> {
  const owners: Visitor[] = [];
  const next = Array.from({ length: count }, (_, i) => i).values();
  const one = async () => {
    for (const i of next) {
      interrupted.throwIfAborted();
      const owner = await signInMember(origin, `walker-${i}@example.com`);
      const body = { display_name: `Walker ${i}`, is_location_sharing_enabled: true };
      await owner.call(saveProfile, { body });
      await owner.call(createDog, { body: { name: 'Rex', sound_type: 'leash_on' } });
      owners[i] = owner;
      if ((i + 1) % 250 === 0) console.error(`  ${i + 1} of ${count} owners signed up`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, one));
  return owners;
}

interface People {
  walking: readonly Visitor[];
  talking: readonly Writer[];
}

async function measureStep(
  origin: string,
  supervisor: number,
  rates: { reports: number; messages: number },
  seconds: number,
  { walking, talking }: People,
): Promise<BenchRow[]> {
  const stop = new AbortController();
  const messagesBefore = sum(talking.map((writer) => writer.acknowledged()));
  const before = await usageOf(supervisor);
  const startedAt = performance.now();
  const of = (index: number) => walking[index % walking.length]!;
  const working = Promise.all([
    paced(rates.reports, stop.signal, (index) => report(of(index), index % walking.length, index)),
    paced(rates.reports * OPENS_PER_REPORT, stop.signal, (index) =>
      openPage(origin, of(index * 7), index),
    ),
    paced(rates.reports * EDITS_PER_REPORT, stop.signal, (index) => edit(of(index * 11), index)),
    ...talking.map((writer) => writer.run(stop.signal)),
  ]);
  await wait(seconds * 1000);
  const messages = sum(talking.map((writer) => writer.acknowledged())) - messagesBefore;
  const after = await usageOf(supervisor);
  const elapsed = (performance.now() - startedAt) / 1000;
  stop.abort();
  const [reports, opens, edits] = (await working) as [Paced, Paced, Paced];
  const owners = Math.round((rates.reports * 3600) / (REPORTS_PER_DAY * BUSIEST_HOUR));
  const name = `${rates.reports} reports/s, ${rates.messages} messages/s`;
  const cpu = Object.fromEntries(
    PROCESSES.map((each) => [
      each,
      ((after[each]?.cpuMs ?? 0) - (before[each]?.cpuMs ?? 0)) / (elapsed * 10),
    ]),
  ) as Record<ProcessName, number>;
  const total = sum(Object.values(cpu));
  const p99 = quantile(reports.times, 0.99);
  const isLast = rates.reports >= 300 && rates.messages >= 200;
  const row = (what: string, ours: string, target = '', ok: boolean | null = null): BenchRow => ({
    group: 'load',
    row: `${name}: ${what}`,
    ours,
    rival: '',
    ratio: '',
    target,
    ok,
  });
  return [
    row(
      'time of a report, median and p99',
      `${quantile(reports.times, 0.5).toFixed(0)} ms, ${p99.toFixed(0)} ms`,
      isLast ? `p99 ≤ ${P99_MAX_MS} ms` : '',
      isLast ? p99 <= P99_MAX_MS : null,
    ),
    row('time to open a page, p99', `${quantile(opens.times, 0.99).toFixed(0)} ms`),
    row(
      'failed calls',
      `${reports.failed + opens.failed + edits.failed} of ${reports.times.length + opens.times.length + edits.times.length}`,
      '0',
      reports.failed + opens.failed + edits.failed === 0,
    ),
    row('messages saved per second', (messages / elapsed).toFixed(0)),
    row(
      `CPU of ${availableParallelism()} cores`,
      `${total.toFixed(0)} % (${PROCESSES.map((each) => `${each} ${cpu[each].toFixed(0)}`).join(', ')})`,
    ),
    row('memory', memoryOf(after)),
    row('the busiest hour of', `${owners} owners`),
    row(
      'CPU per thousand owners in that hour',
      `${((total / owners) * 1000).toFixed(1)} % of a core`,
    ),
  ];
}

const report = ({ call }: Visitor, walker: number, index: number): Promise<unknown> =>
  call(reportLocation, {
    body: {
      // A town of 40 by 25 streets, 110 m apart, with a step north per report.
      latitude: 51.5 + (walker % 40) / 1000 + (index % 1000) / 1e7,
      longitude: -0.12 + Math.floor(walker / 40) / 600,
      accuracy: 8,
      speed: 1.4,
    },
  });

/** The page itself, or the calls of a screen. */
async function openPage(origin: string, { call }: Visitor, index: number): Promise<void> {
  const screens = [
    () => fetch(`${origin}/home`).then((page) => page.text()),
    () => Promise.all([call(listDogs), call(listRecentEncounters)]),
    () => call(listFriends),
    () =>
      call(searchLocations, { query: { latitude: '51.5', longitude: '-0.12', radius_miles: '2' } }),
  ];
  await screens[index % screens.length]!();
}

const edit = ({ call, user }: Visitor, index: number): Promise<unknown> =>
  call(saveProfile, {
    body: { display_name: `${user.name} ${index % 100}`, is_location_sharing_enabled: true },
  });

function idleRow(
  devices: number,
  before: Partial<Record<ProcessName, Usage>>,
  after: Partial<Record<ProcessName, Usage>>,
): BenchRow {
  const of = (usage: typeof before) => (usage['sync-server']?.rssBytes ?? 0) / MB;
  const isTarget = devices >= 5_000;
  return {
    group: 'load',
    row: `memory of the sync server with ${devices} idle devices`,
    ours: `${of(after).toFixed(0)} MB (without: ${of(before).toFixed(0)} MB)`,
    rival: '',
    ratio: '',
    target: isTarget ? `≤ ${IDLE_MAX_MB} MB` : '',
    ok: isTarget ? of(after) <= IDLE_MAX_MB : null,
  };
}

const memoryOf = (usage: Partial<Record<ProcessName, Usage>>): string =>
  PROCESSES.map((each) => `${each} ${Math.round((usage[each]?.rssBytes ?? 0) / MB)} MB`).join(', ');

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);
