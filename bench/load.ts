import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { profileChanges, type CardDocument } from '#shared/profile/document.ts';
import { READ_WITHIN_MS } from '../api/features/moderation/content/message-scanner.ts';
import { Conversation, friendsAmong, openAll, PushedFriend, Pushes } from './load/conversations.ts';
import {
  ACTIONS,
  busiestRates,
  ratesOf,
  REPORT_EVERY_SECONDS,
  type Action,
  type Rates,
} from './load/day.ts';
import { connectIdleDevices, DEVICES_PER_OWNER } from './load/idle-devices.ts';
import { documentIdOf, signInOwners } from './load/owners.ts';
import { openPage } from './load/page-opens.ts';
import { isOverloaded, productCores, runPhase, type Phase, type Town } from './load/phase.ts';
import { startSeededProduct, type SeededProduct } from './load/product.ts';
import {
  bendRow,
  costRows,
  hourRows,
  idleRows,
  machineRow,
  P99_MAX_MS,
  pairRows,
} from './load/rows.ts';
import type { OwnDocument } from './load/sync-device.ts';
import { Walkers } from './load/walkers.ts';
import type { BenchRow } from './result-row.ts';

const positive = (usual: number) => z.coerce.number().positive().default(usual);

/** Of the environment, such as LOAD_REPORTS=300. */
const settings = z.object({
  /** Position reports and messages per second, of the measurement with the target. */
  LOAD_REPORTS: positive(300),
  LOAD_MESSAGES: positive(200),
  /** Devices that are connected and do nothing. */
  LOAD_DEVICES: z.coerce.number().int().nonnegative().default(5_000),
  /** Owners who are seeded, at least: those who do something are among them. */
  LOAD_OWNERS: z.coerce.number().int().nonnegative().default(0),
  /** How many owners' busiest hour is measured at most; a tenth of them walk at the same time. */
  LOAD_HOURS: z.coerce.number().int().nonnegative().default(40_000),
  /** Whether only the costs of actions are measured: neither memory, whose measurement waits for minutes, nor full load. */
  LOAD_COSTS_ONLY: z.stringbool().default(false),
  /** How long each such hour is measured; other measurements take half of it. */
  LOAD_SECONDS: positive(30),
  /** Such as `opens,edits`: measures only the costs of these actions. */
  LOAD_ONLY: z
    .string()
    .transform((names) => names.split(','))
    .pipe(z.array(z.enum(ACTIONS)))
    .optional(),
});
type Settings = z.infer<typeof settings>;

const isCostsOnly = (wanted: Settings) => wanted.LOAD_COSTS_ONLY || wanted.LOAD_ONLY !== undefined;

/** Who lives in the town, and what they do. */
interface Simulated {
  actions: readonly Action[];
  walkers: number;
  owners: number;
}

/** So many owners more from one measured hour to the next. */
const HOURS_STEP = 5_000;
/** A message that takes longer is no conversation. */
const MESSAGE_MAX_MS = 1_000;
const isTooMuch = (step: Phase): boolean =>
  isOverloaded(step, { reports: P99_MAX_MS, messages: MESSAGE_MAX_MS });
/** Pauses after a burst of connections. */
const SETTLE_MS = 10_000;
/** When processes are idle, V8 returns the memory of such a burst after about a minute. */
const MEMORY_SETTLE_MS = 90_000;
/** How often a person writes to a friend whose app is closed: a push is replaced by a later one after 2 s. */
const PUSHES_EACH_PER_SECOND = 0.1;
/** A server's usual code is compiled after a minute of load. */
const WARM_UP = 2;

/**
 * Simulates realistic days of seeded owners on the same machine, and measures: memory and CPU of each process, how long people wait, the
 * cost of each action, and the load at which that grows.
 */
export async function loadBench(interrupted: AbortSignal): Promise<BenchRow[]> {
  const wanted = settings.parse(process.env);
  const actions = wanted.LOAD_ONLY ?? ACTIONS;
  const most = isCostsOnly(wanted) ? 0 : busiestRates(wanted.LOAD_HOURS).reports;
  const walkers = actions.includes('reports')
    ? Math.ceil(Math.max(wanted.LOAD_REPORTS, most) * REPORT_EVERY_SECONDS)
    : 0;
  const count = Math.max(walkers, Math.ceil(wanted.LOAD_DEVICES / DEVICES_PER_OWNER));
  await checkOpenFiles(wanted.LOAD_DEVICES + walkers + count);
  const product = await startSeededProduct(Math.max(count, wanted.LOAD_OWNERS));
  try {
    return await measure(product, wanted, { actions, walkers, owners: count }, interrupted);
  } finally {
    await product.close();
  }
}

async function measure(
  product: SeededProduct,
  wanted: Settings,
  { actions, walkers, owners: count }: Simulated,
  interrupted: AbortSignal,
): Promise<BenchRow[]> {
  const { origin } = product;
  const rows: BenchRow[] = [];
  /** The table comes at the end, a quarter of an hour later. */
  const add = (...some: BenchRow[]) => {
    rows.push(...some);
    for (const { row, ours } of some) console.error(`    ${row}: ${ours}`);
  };
  const closers: (() => unknown)[] = [];
  try {
    const settle = isCostsOnly(wanted) ? SETTLE_MS : MEMORY_SETTLE_MS;
    add(machineRow(product, Math.max(count, wanted.LOAD_OWNERS)));
    const owners = await signInOwners(origin, count, interrupted);
    await wait(settle);
    const before = await product.snapshot();
    console.error(`  connecting ${wanted.LOAD_DEVICES} devices`);
    const idle = await connectIdleDevices(owners, wanted.LOAD_DEVICES, interrupted);
    closers.push(() => idle.close());
    await wait(SETTLE_MS);
    const connected = await product.snapshot();
    await wait(settle);
    const withDevices = await product.snapshot();
    const walking = await Walkers.start(owners.slice(0, walkers), interrupted);
    closers.push(() => walking.close());
    await wait(settle);
    const withStreams = await product.snapshot();

    const friends = friendsAmong(owners, idle);
    const pushed = Math.ceil(ratesOf(0, wanted.LOAD_MESSAGES).pushes / PUSHES_EACH_PER_SECOND);
    const away = friends.slice(0, Math.min(pushed, Math.floor(friends.length / 2)));
    const talking = friends.slice(away.length).slice(0, Math.ceil(wanted.LOAD_MESSAGES / 2));
    if (away.length === 0) throw new Error('Too few owners: set LOAD_DEVICES to 100 at least');
    const pushes = await Pushes.start();
    closers.push(() => pushes.close());
    const conversations = await openAll(
      talking,
      (pair) => Conversation.open(owners, pair),
      interrupted,
    );
    const authors = await openAll(
      away,
      (pair) => PushedFriend.open(owners, pair, pushes),
      interrupted,
    );
    closers.push(() => [...conversations, ...authors].forEach((each) => each.close()));

    const { first } = idle;
    const cards = new Map<number, OwnDocument<CardDocument>>();
    let edits = 0;
    /** So many walk now. */
    let active = 1;
    const town: Town = {
      snapshot: () => product.snapshot(),
      takeWarnings: () => walking.takeWarnings(),
      actions: {
        reports: (index) => walking.report(index % active),
        messages: (index) =>
          conversations[index % conversations.length]!.say(
            Math.floor(index / conversations.length),
          ),
        async pushes(index) {
          await authors[index % authors.length]!.say();
        },
        opens: (index) => {
          const number = (index * 7) % first.length;
          return openPage(owners[number]!, first[number]!.marks);
        },
        async edits(index) {
          const number = (index * 11) % first.length;
          const { device } = first[number]!;
          const id = documentIdOf(owners[number]!.user.documents.card);
          const card = cards.get(number) ?? (await device.load<CardDocument>(id));
          cards.set(number, card);
          const about = { about: `Walks with Rex, ${edits++} times.` };
          await card.write(
            (draft) => profileChanges['profile.about'].apply(draft, about),
            [device],
          );
        },
      },
    };
    const run = async (rates: Partial<Rates>, seconds: number, idleCores?: number) => {
      active = Math.max(1, Math.ceil((rates.reports ?? 0) * REPORT_EVERY_SECONDS));
      const phase = await runPhase(town, rates, { seconds, idleCores, interrupted });
      // Each waits for a moment in which the friend could read it.
      const { times } = phase.results.pushes;
      for (const [i, time] of times.entries()) times[i] = time - READ_WITHIN_MS;
      return phase;
    };

    const half = wanted.LOAD_SECONDS / 2;
    const target = ratesOf(wanted.LOAD_REPORTS, wanted.LOAD_MESSAGES);
    // Often enough to be measured.
    target.edits = target.opens;
    console.error('  idle');
    const quiet = await run({}, half);
    const idleCores = productCores(quiet.cores);
    console.error('  warming up');
    const measured = actions.map((each) => [each, target[each]]);
    await run(
      Object.fromEntries(measured) as Partial<Rates>,
      WARM_UP * wanted.LOAD_SECONDS,
      idleCores,
    );
    const snapshots = { before, connected, devices: withDevices, streams: withStreams };
    add(...idleRows(wanted.LOAD_DEVICES, walkers, snapshots, quiet));
    const costs: Partial<Record<Action, Phase>> = {};
    for (const action of actions) {
      console.error(`  ${target[action].toFixed(1)} ${action}/s alone`);
      costs[action] = await run({ [action]: target[action] }, half, idleCores);
      if (action === 'reports') await walking.end(active, interrupted);
    }
    add(...costRows(costs, quiet, wanted.LOAD_DEVICES, product));
    if (isCostsOnly(wanted)) return rows;
    console.error('  reports and messages');
    const both = { reports: wanted.LOAD_REPORTS, messages: wanted.LOAD_MESSAGES };
    // Walkers who all set out at the same moment are no such hour: each load begins before it is measured.
    await run(both, half);
    add(...pairRows(await run(both, wanted.LOAD_SECONDS)));
    await wait(SETTLE_MS / 2);
    const hours: { owners: number; phase: Phase }[] = [];
    for (let some = 2 * HOURS_STEP; some <= wanted.LOAD_HOURS; some += HOURS_STEP) {
      console.error(`  busiest hour of ${some} owners`);
      const rates = busiestRates(some);
      await run(rates, half);
      const phase = await run(rates, wanted.LOAD_SECONDS);
      hours.push({ owners: some, phase });
      add(...hourRows(phase, some));
      if (isTooMuch(phase)) break;
      await wait(SETTLE_MS / 2);
    }
    add(bendRow(hours, isTooMuch));
    return rows;
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}

/** @throws when a process could not open a file for each of these connections (Linux only) */
async function checkOpenFiles(connections: number): Promise<void> {
  const limits = await readFile('/proc/self/limits', 'utf8');
  const most = Number(/^Max open files\s+\d+\s+(\d+)/m.exec(limits)?.[1] ?? Infinity);
  if (connections > most)
    throw new Error(
      `${connections} open files are needed for that many devices, but the limit is ${most}`,
    );
}
