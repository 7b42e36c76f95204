import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { quantile } from '../quantiles.ts';
import { ACTIONS, type Action, type Rates } from './day.ts';
import { paced, type Paced } from './paced.ts';
import { coresBetween, PRODUCT, type Snapshot, type User } from './process-usage.ts';

/** What the owners of the town do. */
export interface Town {
  snapshot(): Promise<Snapshot>;
  /** Each does an action once; the number counts the actions of a phase. */
  actions: Record<Action, (index: number) => Promise<unknown>>;
  takeWarnings(): number[];
}

/** What was measured while actions happened at certain rates. */
export interface Phase {
  rates: Rates;
  seconds: number;
  results: Record<Action, Paced>;
  /** Times of warnings in ms. */
  warnings: number[];
  /** Shares of a core, while actions started. */
  cores: Record<User, number>;
  /** CPU time in ms until all had ended, and that time. */
  cpuMs: Record<User, number>;
  elapsedMs: number;
  /** Of MongoDB, in that time. */
  operations: number;
  after: Snapshot;
  /** 99% of the generator's timers were late by at most this, in ms: it is contained in all times. */
  generatorLagMs: number;
}

/** Work that follows an action, such as compaction, has ended when the product works no more than before for this time. */
const SETTLE_MS = 4_000;
const SETTLES_WITHIN_MS = 90_000;
/** Shares of a core that may come from chance. */
const CHANCE = 0.02;

export const productCores = (cores: Record<User, number>): number =>
  PRODUCT.reduce((sum, each) => sum + cores[each], 0);

/**
 * Waits for the work that follows actions.
 * @param idleCores what the product needs when nobody does anything; undefined waits only a moment
 */
async function settled(
  snapshot: Town['snapshot'],
  idleCores: number | undefined,
  interrupted: AbortSignal,
): Promise<Snapshot> {
  const end = performance.now() + SETTLES_WITHIN_MS;
  for (let before = await snapshot(); ;) {
    await wait(SETTLE_MS, undefined, { signal: interrupted });
    const after = await snapshot();
    const isQuiet =
      idleCores === undefined ||
      productCores(coresBetween(before, after)) <= 1.2 * idleCores + CHANCE;
    if (isQuiet || performance.now() > end) return after;
    before = after;
  }
}

/** Lets the owners act for a while, at steady rates. @param idleCores counts all work that follows to the phase, until it has ended */
export async function runPhase(
  { snapshot, actions, takeWarnings }: Town,
  rates: Partial<Rates>,
  {
    seconds,
    idleCores,
    interrupted,
  }: { seconds: number; idleCores?: number | undefined; interrupted: AbortSignal },
): Promise<Phase> {
  const all = Object.fromEntries(ACTIONS.map((each) => [each, rates[each] ?? 0])) as Rates;
  takeWarnings();
  const lag = monitorEventLoopDelay({ resolution: 5 });
  lag.enable();
  const before = await snapshot();
  const stop = new AbortController();
  const working = Promise.all(ACTIONS.map((each) => paced(all[each], stop.signal, actions[each])));
  try {
    await wait(seconds * 1000, undefined, { signal: interrupted });
  } finally {
    stop.abort();
  }
  const busy = await snapshot();
  lag.disable();
  const done = await working;
  const after = await settled(snapshot, idleCores, interrupted);
  const elapsedMs = after.takenAt - before.takenAt;
  const results = Object.fromEntries(ACTIONS.map((each, i) => [each, done[i]])) as Phase['results'];
  const shares = coresBetween(before, after);
  const cpuMs = { ...shares };
  for (const user of Object.keys(shares) as User[]) cpuMs[user] = shares[user] * elapsedMs;
  for (const action of ACTIONS) {
    const { failed, error } = results[action];
    if (failed > 0) console.error(`  ${failed} ${action} failed, the first with ${String(error)}`);
  }
  return {
    rates: all,
    seconds,
    results,
    warnings: takeWarnings(),
    cores: coresBetween(before, busy),
    cpuMs,
    elapsedMs,
    operations: after.operations - before.operations,
    after,
    // The resolution is contained in the delay.
    generatorLagMs: Math.max(0, lag.percentile(99) / 1e6 - 5),
  };
}

export const countOf = ({ results }: Phase, action: Action): number =>
  results[action].times.length + results[action].failed;

export const failuresOf = ({ results }: Phase): number =>
  ACTIONS.reduce((total, each) => total + results[each].failed, 0);

/** Whether the product no longer keeps up: people notice, or something fails. */
export function isOverloaded(phase: Phase, maxMs: Partial<Rates>): boolean {
  const isLate = (action: Action) =>
    quantile(phase.results[action].times, 0.99) > (maxMs[action] ?? Infinity);
  const all = ACTIONS.reduce((total, each) => total + countOf(phase, each), 0);
  return ACTIONS.some(isLate) || failuresOf(phase) > all / 100;
}
