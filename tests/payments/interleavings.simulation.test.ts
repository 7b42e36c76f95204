import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openDatabase, type Database } from '../../api/database.ts';
import type { Weather } from './flaky-gateway.ts';
import { Actor } from './steps.ts';
import {
  comeToRest,
  JOBS,
  newWorld,
  paymentOf,
  problemsOf,
  run,
  TICK_MS,
  toldBy,
  type Job,
  type Told,
  type World,
} from './world.ts';

/**
 * One donation under everything that may happen to it at once: clicks, retries, questions, sweeps, news of the gateway,
 * the use of its code, refunds; each done by a process of its own that may be overtaken, or killed, before any of its
 * steps, over a network that loses requests and answers or delivers them late.
 */
const RUNS = 1_000;
const LANES = 4;

/** Some of these values, the ones with more weight more often. */
const weighted = <T extends string>(weights: Record<T, number>) =>
  fc.oneof(
    ...Object.entries<number>(weights).map(([value, weight]) => ({
      weight,
      arbitrary: fc.constant(value as T),
    })),
  );

const event = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      is: fc.constant('start' as const),
      job: weighted<Job>(JOBS),
      killedAfter: fc.option(fc.nat(25)),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      is: fc.constant('go' as const),
      who: fc.nat(20),
      steps: fc.integer({ min: 1, max: 12 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ is: 'tick' as const }) },
  { weight: 1, arbitrary: fc.constant({ is: 'late' as const }) },
);
const script = fc.record({
  events: fc.array(event, { minLength: 1, maxLength: 30, size: 'max' }),
  weathers: fc.array(weighted<Weather>({ fine: 4, 'lost-request': 1, 'lost-answer': 2, late: 1 }), {
    maxLength: 8,
  }),
  /** From which event on the bank pays back what was paid; null: never. */
  refundFrom: fc.option(fc.nat(30), { freq: 2 }),
  anybodyCares: fc.boolean(),
});
type Script = typeof script extends fc.Arbitrary<infer S> ? S : never;

let client: MongoClient;
const databases: Database[] = [];

beforeAll(async () => {
  client = await MongoClient.connect(inject('mongodbUri'), {
    writeConcern: { w: 1, journal: false },
  });
  for (let lane = 0; lane < LANES; lane++) {
    const made = await openDatabase(inject('mongodbUri'), `interleavings-${randomUUID()}`);
    // What a power cut would lose is not the question here: writes need not wait for the disk.
    const db = client.db(made.db.databaseName);
    const fast = Object.fromEntries(
      Object.entries(made).map(([name, part]) => [
        name,
        typeof part === 'object' && 'collectionName' in part
          ? db.collection(part.collectionName as string)
          : part,
      ]),
    ) as unknown as Database;
    databases.push({ ...fast, client: made.client });
  }
});
afterAll(async () => {
  for (const { client: own, db } of databases) {
    await db.dropDatabase();
    await own.close();
  }
  await client.close();
});

/** Runs a script. @returns what people were told, in the order in which they were */
async function play(
  world: World,
  { events, weathers, refundFrom, anybodyCares }: Script,
): Promise<Told[]> {
  const { bank, clock } = world;
  bank.setWeather(weathers);
  const actors: Actor[] = [];
  const told: Told[] = [];
  const advance = async (actor: Actor) => {
    await actor.advance();
    if (actor.isDone) told.push(...toldBy(actor));
  };
  const living = () => actors.filter((actor) => !actor.isDone);
  for (const [turn, each] of events.entries()) {
    if (each.is === 'tick') clock.ahead += TICK_MS;
    else if (each.is === 'late') bank.late.shift()?.();
    else if (each.is === 'start') {
      const actor = new Actor(each.killedAfter ?? Infinity);
      actors.push(actor);
      await actor.begin(() => run(world, each.job, actor.step));
    } else {
      const actor = living()[each.who % Math.max(1, living().length)];
      for (let step = 0; actor && !actor.isDone && step < each.steps; step++) await advance(actor);
    }
    // As soon as there is anything to pay back, whether or not we know of it yet.
    if (refundFrom !== null && turn >= refundFrom) bank.refund(paymentOf(world)?.[0] ?? '');
  }
  // Those who are left go on to their ends, or all processes die here.
  while (anybodyCares && living().length > 0) for (const actor of living()) await advance(actor);
  return told;
}

/** @returns where the donation came to, once everything is at rest; expects it to be in order */
async function expectOrder(database: Database, what: Script): Promise<string> {
  const world = await newWorld(database);
  try {
    const told = await play(world, what);
    await comeToRest(world);
    const { end, wrong } = await problemsOf(world, told);
    expect(wrong).toEqual([]);
    return end;
  } finally {
    // Out of the way of the next one's sweeps.
    await database.donations.deleteOne({ _id: world.id });
  }
}

test.concurrent.each(Array.from({ length: LANES }, (_, lane) => lane))(
  `one charge and one code, or a clear failure and no charge: ${RUNS} interleavings, part %i`,
  { timeout: 600_000 },
  async (lane) => {
    const database = databases[lane];
    if (!database) throw new Error('no such lane');
    const ends = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(script, async (events) => {
        const end = await expectOrder(database, events);
        ends.set(end, (ends.get(end) ?? 0) + 1);
      }),
      { numRuns: RUNS / LANES },
    );
    // The scripts come to every end, so that none of them holds for want of trying.
    expect([...ends.keys()].toSorted()).toEqual(['completed', 'failed', 'pending', 'refunded']);
  },
);

const go = (who: number, steps: number) => ({ is: 'go' as const, who, steps });
const start = (what: Job, killedAfter: number | null = null) => ({
  is: 'start' as const,
  job: what,
  killedAfter,
});
/** To its end, whatever it does. */
const ALL = 40;

test('a refund while its code is used takes back what is given, wherever either is cut off', async () => {
  const [database] = databases;
  if (!database) throw new Error('no database');
  for (const way of ['enter', 'enter-unknown'] as const)
    for (let before = 0; before <= 9; before++)
      for (let after = 0; after <= 5; after++) {
        const events = [
          start('click'),
          go(0, ALL),
          // Comes in as far as this; then the refund is dealt with; then goes on, and is killed.
          start(way, before + after),
          go(0, before),
          start('news'),
          go(1, ALL),
          go(0, ALL),
        ];
        const end = await expectOrder(database, {
          events,
          weathers: [],
          refundFrom: 4,
          anybodyCares: false,
        });
        expect(['completed', 'refunded']).toContain(end);
      }
}, 300_000);

test('who enters unknown and signed in at once with what they paid for has one use, and a refund takes it back', async () => {
  const [database] = databases;
  if (!database) throw new Error('no database');
  for (const [first, second] of [
    ['enter', 'enter-unknown'],
    ['enter-unknown', 'enter'],
  ] as const)
    for (let before = 1; before <= 8; before++) {
      // Both come in as far as they are let, the one in the midst of the other; then the money goes back.
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
      const script = { events, weathers: [], anybodyCares: true };
      expect(await expectOrder(database, { ...script, refundFrom: null })).toBe('completed');
      expect(await expectOrder(database, { ...script, refundFrom: 7 })).toBe('refunded');
    }
}, 60_000);
