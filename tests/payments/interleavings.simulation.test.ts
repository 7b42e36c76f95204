import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import type { Db } from 'mongodb';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  providerState,
  statesAfter,
  statusIn,
  type ProviderState,
} from '#shared/payments/provider-states.ts';
import { donations } from '../../api/features/payments/collections.ts';
import type { Weather } from './flaky-gateway.ts';
import { schedules, Stage } from './schedule.ts';
import { Actor } from './steps.ts';
import { openUnjournaled } from './unjournaled.ts';
import {
  comeToRest,
  JOBS,
  newWorld,
  paymentOf,
  problemsOf,
  run,
  TICK_MS,
  notifiedBy,
  type Job,
  type Notified,
  type World,
} from './world.ts';

/**
 * One donation under concurrent clicks, retries, checks, background jobs, gateway events,
 * the use of its code, refunds and disputes, which may fail or be undone; each done by a process of its own that may be overtaken, or killed, before any of its
 * steps, over a network that loses requests and answers or delivers them late.
 */
const RUNS = 1_000;
const LANES = 4;

/** One of these values, in proportion to its weight. */
const weighted = <T extends string>(weights: Record<T, number>) =>
  fc.oneof(
    ...Object.entries<number>(weights).map(([value, weight]) => ({
      weight,
      arbitrary: fc.constant(value as T),
    })),
  );

interface Begun {
  job: Job;
}
const script = fc.record({
  events: schedules<Begun>(
    { job: weighted<Job>(JOBS) },
    { goWeight: 12, stepsMax: 12, eventsMax: 30 },
  ),
  weathers: fc.array(weighted<Weather>({ fine: 4, 'lost-request': 1, 'lost-answer': 2, late: 1 }), {
    maxLength: 8,
  }),
  /** What the banks do with the money, after which event. */
  moves: fc.array(
    fc.record({ turn: fc.nat(30), to: fc.constantFrom<ProviderState>(...providerState.options) }),
    { maxLength: 3 },
  ),
  isFinished: fc.boolean(),
});
type Script = typeof script extends fc.Arbitrary<infer S> ? S : never;

const databases: Db[] = [];

beforeAll(async () => {
  for (let lane = 0; lane < LANES; lane++)
    databases.push(await openUnjournaled(inject('mongodbUri'), `interleavings-${randomUUID()}`));
});
afterAll(async () => {
  for (const db of databases) {
    await db.dropDatabase();
    await db.client.close();
  }
});

/** Runs a script and returns the results that users saw, in order. */
async function play(
  world: World,
  { events, weathers, moves, isFinished }: Script,
): Promise<Notified[]> {
  const { bank } = world;
  bank.setWeather(weathers);
  const notifications: Notified[] = [];
  const left = [...moves];
  const stage = new Stage<Begun>(
    world,
    TICK_MS,
    ({ job }, step) => run(world, job, step),
    (actor) => notifications.push(...notifiedBy(actor)),
  );
  for (const [turn, event] of events.entries()) {
    await stage.play(event);
    // As soon as there is a payment, even if our records don't show it yet.
    const due = left.filter((move) => turn >= move.turn);
    for (const move of due)
      if (bank.moveMoney(paymentOf(world)?.[0] ?? '', move.to)) left.splice(left.indexOf(move), 1);
  }
  // Otherwise all processes stop here.
  if (isFinished) await stage.finish();
  return notifications;
}

/** Expects a consistent state once everything is settled, and returns the final status. */
async function expectOrder(db: Db, what: Script): Promise<string> {
  const world = await newWorld(db);
  try {
    const notifications = await play(world, what);
    await comeToRest(world);
    const { end, wrong } = await problemsOf(world, notifications);
    expect(wrong).toEqual([]);
    return end;
  } finally {
    // Out of the way of the next one's background jobs.
    await donations(db).deleteOne({ _id: world.id });
  }
}

test.concurrent.each(Array.from({ length: LANES }, (_, lane) => lane))(
  `a donation ends with one charge and one code or with no charge: ${RUNS} interleavings, part %i`,
  { timeout: 600_000 },
  async (lane) => {
    const db = databases[lane];
    if (!db) throw new Error('no such lane');
    const ends = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(script, async (events) => {
        const end = await expectOrder(db, events);
        ends.set(end, (ends.get(end) ?? 0) + 1);
      }),
      { numRuns: RUNS / LANES },
    );
    // The scripts reach each status, so that none is untested.
    expect([...ends.keys()].toSorted()).toEqual(['completed', 'failed', 'pending', 'refunded']);
  },
);

/** Each state is one that can follow the one before. */
const walk = fc.array(fc.nat(20), { minLength: 1, maxLength: 8 }).map((choices) => {
  const states: ProviderState[] = [];
  for (const choice of choices) {
    const next = statesAfter(states.at(-1) ?? 'clear');
    states.push(next[choice % next.length] as ProviderState);
  }
  return states;
});
const deliveries = fc.record({
  states: walk,
  /** How often each event is delivered. */
  copies: fc.integer({ min: 1, max: 3 }),
  /** How far which delivery gets, before the next state and after the last one. */
  turns: fc.array(fc.tuple(fc.nat(30), fc.integer({ min: 1, max: 9 })), { maxLength: 60 }),
});

test.each(['paid before', 'paid while its events arrive'])(
  'events about money that are late, repeated, shuffled, and handled at once leave what the provider says last: %s',
  async (when) => {
    const [db] = databases;
    if (!db) throw new Error('no database');
    const ends = new Set<string>();
    await fc.assert(
      fc.asyncProperty(deliveries, async ({ states, copies, turns }) => {
        const world = await newWorld(db);
        const straight = async () => {};
        await run(world, 'click', straight);
        const paymentId = paymentOf(world)?.[0] ?? '';
        if (when !== 'paid before')
          await donations(db).updateOne(
            { _id: world.id },
            { $set: { payment_status: 'pending', is_settled: false } },
          );
        const actors: Actor[] = [];
        const left = [...turns];
        for (const to of states) {
          world.bank.moveMoney(paymentId, to);
          for (let copy = 0; copy < copies; copy += 1) {
            const actor = new Actor();
            actors.push(actor);
            await actor.begin(() => run(world, 'news', actor.step));
          }
          for (const [who, steps] of left.splice(0, Math.ceil(turns.length / states.length)))
            for (let step = 0; step < steps; step += 1)
              await actors[who % actors.length]?.advance();
        }
        // The last delivered event may be the first one sent.
        for (const actor of actors.toReversed()) while (!actor.isDone) await actor.advance();
        const { end, wrong } = await problemsOf(world, []);
        ends.add(`${states.at(-1)} ${end}`);
        expect({ states, end, wrong }).toEqual({
          states,
          end: statusIn(states.at(-1) ?? 'clear'),
          wrong: [],
        });
        await donations(db).deleteOne({ _id: world.id });
      }),
      { numRuns: 150 },
    );
    expect(ends.size).toBeGreaterThanOrEqual(6);
  },
  300_000,
);

const go = (who: number, steps: number) => ({ is: 'go' as const, who, steps });
const start = (what: Job, killedAfter: number | null = null) => ({
  is: 'start' as const,
  job: what,
  killedAfter,
});
/** Enough steps for any job to finish. */
const ALL = 40;

test('a refund while the code is being redeemed revokes its access, wherever either is interrupted', async () => {
  const [db] = databases;
  if (!db) throw new Error('no database');
  for (const way of ['enter', 'enter-unknown'] as const)
    for (let before = 0; before <= 9; before++)
      for (let after = 0; after <= 5; after++) {
        const events = [
          start('click'),
          go(0, ALL),
          // Runs up to here, then the refund is processed, then it continues and is killed.
          start(way, before + after),
          go(0, before),
          start('news'),
          go(1, ALL),
          go(0, ALL),
        ];
        const end = await expectOrder(db, {
          events,
          weathers: [],
          moves: [{ turn: 4, to: 'refunded' }],
          isFinished: false,
        });
        expect(['completed', 'refunded']).toContain(end);
      }
}, 300_000);

test('redeeming a code signed in and signed out at once counts as one use, and a refund revokes it', async () => {
  const [db] = databases;
  if (!db) throw new Error('no database');
  for (const [first, second] of [
    ['enter', 'enter-unknown'],
    ['enter-unknown', 'enter'],
  ] as const)
    for (let before = 1; before <= 8; before++) {
      // Both run, one in the middle of the other, then the payment is refunded.
      const events = [
        start('click'),
        go(0, ALL),
        start(first),
        start(second),
        go(0, before),
        go(1, ALL),
        go(0, ALL),
        start('news'),
        go(0, ALL),
      ];
      const script = { events, weathers: [], isFinished: true };
      expect(await expectOrder(db, { ...script, moves: [] })).toBe('completed');
      expect(await expectOrder(db, { ...script, moves: [{ turn: 7, to: 'refunded' }] })).toBe(
        'refunded',
      );
    }
}, 60_000);
