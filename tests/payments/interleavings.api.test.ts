import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { MongoClient } from 'mongodb';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { enter } from '../../api/access-gate/enter.ts';
import { tieGrant } from '../../api/access-gate/grants.ts';
import { openDatabase, type Database } from '../../api/database.ts';
import { donationMachine } from '../../api/payments/donations.ts';
import type { DonationRow } from '../../api/payments/rows.ts';
import { Actor, stepping } from './steps.ts';
import { FlakyGateway, type Weather } from './flaky-gateway.ts';

/**
 * One donation under everything that may happen to it at once: clicks, retries, questions, sweeps, news of the gateway,
 * the use of its code, refunds; each done by a process of its own that may be overtaken, or killed, before any of its
 * steps, over a network that loses requests and answers or delivers them late.
 */
const RUNS = 1_000;
const LANES = 4;
/** Longer than anybody may be busy with a payment. */
const TICK_MS = 100_000;

const JOBS = {
  click: 5,
  'other-click': 2,
  'bad-click': 1,
  check: 1,
  sweep: 2,
  news: 2,
  enter: 3,
  'enter-unknown': 3,
  'sign-in': 2,
} as const;
type Job = keyof typeof JOBS;

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

const quiet = pino({ level: 'silent' });
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

/** What a test sees of one run. */
interface World {
  database: Database;
  bank: FlakyGateway;
  id: string;
  userId: string;
  clock: { ahead: number };
  /** The grant that the browser got when it came in before signing in. */
  cookie?: string;
}

const now =
  ({ clock }: World) =>
  () =>
    new Date(Date.now() + clock.ahead);

/** One process of the api: whatever it does in the database and at the gateway is a step. */
function processOf(world: World, step: () => Promise<void>) {
  const { database, bank } = world;
  const through: Database = {
    ...database,
    donations: stepping(database.donations, step),
    accessCodes: stepping(database.accessCodes, step),
    accessCodeUses: stepping(database.accessCodeUses, step),
    accessGrants: stepping(database.accessGrants, step),
    paymentTokens: stepping(database.paymentTokens, step),
    users: stepping(database.users, step),
  };
  const signals = { send: step, listen: () => () => {}, isFresh: () => true, close: step };
  const services = { database: through, signals, log: quiet };
  return { services, machine: donationMachine(services, bank.gateway(step), now(world)) };
}

const rowOf = async ({ database, id }: World): Promise<DonationRow> => {
  const row = await database.donations.findOne({ _id: id });
  if (!row) throw new Error('the donation has gone');
  return row;
};
const paymentOf = ({ bank, id }: World) =>
  [...bank.payments.entries()].find(([, { key }]) => key === `donation-${id}`);

async function run(world: World, what: Job, step: () => Promise<void>): Promise<unknown> {
  const { services, machine } = processOf(world, step);
  await step();
  const row = await rowOf(world);
  switch (what) {
    case 'click':
    case 'other-click':
    case 'bad-click':
      return machine.pay(row, `${what === 'bad-click' ? 'bad' : what}-${world.id}`);
    case 'check':
      return machine.settle(row);
    case 'sweep':
      return machine.sweep();
    case 'news': {
      const [paymentId] = paymentOf(world) ?? [];
      return paymentId ? machine.heard(paymentId) : null;
    }
    case 'enter':
    case 'enter-unknown': {
      if (!row.access_code_granted) return null;
      const entry = await enter(services, row.access_code_granted, {
        userId: what === 'enter' ? world.userId : null,
        grantedUse: null,
        donor: row.holder,
        address: '127.0.0.1',
      });
      if (entry?.token) world.cookie = entry.token;
      return entry;
    }
    case 'sign-in':
      return tieGrant(services, world.cookie, world.userId);
  }
}

async function newWorld(database: Database): Promise<World> {
  const id = randomUUID();
  const userId = randomUUID();
  const at = new Date();
  await database.users.insertOne({
    _id: userId,
    identity: userId,
    email: `${userId}@example.com`,
    email_verified: true,
    given_name: '',
    name: '',
    picture: null,
    is_admin: false,
    access_expires_at: null,
    documents: { card: '', account: '', circle: '' },
    documents_ready: true,
    created_at: at,
  });
  await database.donations.insertOne({
    _id: id,
    holder: `the browser of ${id}`,
    user_id: null,
    email: null,
    amount_cents: 100,
    currency: 'USD',
    payment_provider: 'stand-in',
    payment_id: null,
    payment_status: 'pending',
    failure: null,
    access_code_granted: null,
    submitted_at: null,
    busy_until: null,
    is_settled: false,
    ip_address: '',
    user_agent: '',
    created_at: at,
    updated_at: at,
  });
  return { database, bank: new FlakyGateway(), id, userId, clock: { ahead: 0 } };
}

/** What was told to somebody who asked for the payment to be made, or how it stands. */
interface Told {
  status: DonationRow['payment_status'];
  code: string | null;
}
const toldBy = ({ result }: Actor): Told[] => {
  const row = result as Partial<DonationRow> | null;
  return row?.payment_status
    ? [{ status: row.payment_status, code: row.access_code_granted ?? null }]
    : [];
};

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

const straight = async () => {};

/** Time passes, the network is there again, the gateway's news arrive, and the api sweeps. */
async function comeToRest(world: World): Promise<void> {
  world.clock.ahead += TICK_MS;
  world.bank.setWeather([]);
  for (const what of ['news', 'sweep', 'news'] as const) await run(world, what, straight);
  // What was on its way all the time arrives when nobody expects it any more.
  for (const arrive of world.bank.late.splice(0)) arrive();
  for (const what of ['news', 'sweep'] as const) await run(world, what, straight);
}

async function expectOrder(world: World, told: Told[]): Promise<DonationRow['payment_status']> {
  const { database, bank, id, userId } = world;
  // Whoever paid comes back with the code, however often they tried before.
  const entry = await run(world, 'enter', straight);
  const row = await rowOf(world);
  const [, payment] = paymentOf(world) ?? [];
  const access_code_id = `donation-${id}`;
  const codeRow = await database.accessCodes.findOne({ _id: access_code_id });
  const codes = await database.accessCodes.countDocuments({ holder: row.holder });
  const user = await database.users.findOne({ _id: userId });
  const uses = await database.accessCodeUses.countDocuments({ access_code_id });

  expect(bank.payments.size).toBeLessThanOrEqual(1);
  expect(payment?.charges ?? 0).toBeLessThanOrEqual(1);
  expect(codes).toBeLessThanOrEqual(1);
  expect(uses).toBeLessThanOrEqual(1);
  const end = row.payment_status;
  if (end === 'pending') {
    expect(row.submitted_at).toBeNull();
    expect(payment).toBeUndefined();
  }
  if (end === 'completed') {
    expect(payment).toMatchObject({ state: 'paid', charges: 1 });
    expect(codeRow).toMatchObject({ is_active: true, code: row.access_code_granted, max_uses: 1 });
    expect(entry).toMatchObject({ code: row.access_code_granted });
    expect(user?.access_expires_at).toBeInstanceOf(Date);
    expect(uses).toBe(1);
  }
  if (end === 'failed') {
    expect(payment?.charges ?? 0).toBe(0);
    // One whose id we never learned may stay open: nobody can pay it.
    if (row.payment_id) expect(payment?.state).toBe('closed');
    expect(codeRow).toBeNull();
  }
  if (end === 'refunded') {
    expect(payment).toMatchObject({ state: 'refunded', charges: 1 });
    expect(codeRow?.is_active).toBe(false);
    expect(entry).toBeNull();
    expect(user?.access_expires_at).toBeNull();
    expect(await database.accessGrants.countDocuments({ access_code_id })).toBe(0);
  }
  // Nobody was told what is not so, and nothing was told back and forth.
  const order = ['pending', 'completed', 'refunded'];
  for (const [turn, { status, code }] of told.entries()) {
    if (status === 'failed') expect(end).toBe('failed');
    if (status === 'completed') expect(['completed', 'refunded']).toContain(end);
    if (code) expect(code).toBe(codeRow?.code);
    const before = told[turn - 1];
    if (before && status !== 'failed')
      expect(order.indexOf(status)).toBeGreaterThanOrEqual(order.indexOf(before.status));
  }
  return end;
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
        const world = await newWorld(database);
        const told = await play(world, events);
        await comeToRest(world);
        const end = await expectOrder(world, told);
        ends.set(end, (ends.get(end) ?? 0) + 1);
      }),
      { numRuns: RUNS / LANES },
    );
    // The scripts come to every end, so that none of them holds for want of trying.
    expect([...ends.keys()].toSorted()).toEqual(['completed', 'failed', 'pending', 'refunded']);
  },
);
