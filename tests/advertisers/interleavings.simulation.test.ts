import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import type { Db } from 'mongodb';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { ReviewMode } from '#shared/advertisers/reviews.ts';
import { type BookingRow, advertisementBookings } from '../../api/features/ads/collections.ts';
import { adPayments, adSlots as slotRows } from '../../api/features/advertisers/collections.ts';
import type { AdvertiserEmails } from '../../api/features/advertisers/emails.ts';
import { createAdPurchases, RESERVATION_MS } from '../../api/features/advertisers/purchases.ts';
import { adReviews } from '../../api/features/advertisers/reviews/reviews.ts';
import { adSlots } from '../../api/features/advertisers/slots.ts';
import { paymentTokens } from '../../api/features/payments/collections.ts';
import type { Services } from '../../api/platform/services.ts';
import { makeBooking } from '../ads/made-ads.ts';
import { FlakyGateway, type Weather } from '../payments/flaky-gateway.ts';
import { schedules, Stage } from '../payments/schedule.ts';
import { steppingThrough } from '../payments/steps.ts';
import { openUnjournaled } from '../payments/unjournaled.ts';
import { DAY_MS, HOUR_MS } from './sign-up.ts';

/**
 * Two ads for the same time, with everything that may happen to them concurrently: payments, bad cards,
 * status checks, cancellations, reviews, and background jobs. Each process may be paused or killed before any of its steps, and the
 * network loses requests and responses or delivers them late.
 */
const RUNS = 150;
const JOBS = [
  'pay',
  'pay-again',
  'bad-card',
  'check',
  'cancel',
  'approve',
  'refuse',
  'job',
] as const;
type Job = (typeof JOBS)[number];

let db: Db;
beforeAll(async () => {
  db = await openUnjournaled(inject('mongodbUri'), `purchases-${randomUUID()}`);
});
afterAll(async () => {
  await db.dropDatabase();
  await db.client.close();
});

const emails: AdvertiserEmails = {
  send: async () => {},
  recall: async () => false,
  runJob: async () => {},
};
const log = pino({ level: 'silent' });

interface World {
  bank: FlakyGateway;
  clock: { ahead: number };
  ads: [BookingRow, BookingRow];
  mode: ReviewMode;
}

/** Creates an API process whose every database and payment gateway call is a step. */
function processOf({ bank, clock, mode }: World, step: () => Promise<void>) {
  const stepped = ['ad_payments', 'ad_slots', 'advertisement_bookings', 'payment_tokens'];
  const through = steppingThrough(db, stepped, step);
  const now = () => new Date(Date.now() + clock.ahead);
  const slots = adSlots(through);
  const services = { db: through, log };
  const purchases = createAdPurchases(services, bank.gateway(step), { slots, emails, mode, now });
  const audit: Services['audit'] = (_, change) => change();
  const env = { AD_REVIEW: mode } as Services['env'];
  const reviews = adReviews({ ...services, audit, env }, { emails, slots, purchases, now });
  return { through, slots, purchases, reviews, now };
}

async function run(world: World, job: Job, which: 0 | 1, step: () => Promise<void>) {
  const { through, slots, purchases, reviews, now } = processOf(world, step);
  const { _id } = world.ads[which];
  await step();
  const ad = await advertisementBookings(through).findOne({ _id });
  if (!ad) throw new Error('the ad has gone');
  const payer = { ip_address: '', user_agent: '' };
  const token = `${job === 'bad-card' ? 'bad-' : ''}${job}-${_id}`;
  switch (job) {
    case 'pay':
    case 'pay-again':
    case 'bad-card':
      return purchases.pay(ad, 0, token, payer);
    case 'check':
      return purchases.check(ad, 0);
    case 'cancel': {
      const row = await advertisementBookings(through).findOneAndUpdate(
        { _id, cancelled_at: null, scheduled_start_at: { $gt: now() } },
        { $set: { cancelled_at: now() } },
        { returnDocument: 'after' },
      );
      if (!row) return null;
      await slots.release(_id);
      return purchases.payBack(row);
    }
    case 'approve':
    case 'refuse': {
      const version = ad.review?.version ?? 1;
      const decision =
        job === 'approve'
          ? { decision: job, version }
          : { decision: job, version, reason: 'It is misleading.' };
      return reviews.decide({ user: { _id: job } } as never, _id, decision);
    }
    case 'job':
      await reviews.runJob();
      return purchases.runJob();
  }
}

interface Begun {
  job: Job;
  which: 0 | 1;
}
const script = fc.record({
  events: schedules<Begun>(
    {
      job: fc.constantFrom(...JOBS, 'pay' as const, 'pay' as const),
      which: fc.constantFrom(0 as const, 1 as const),
    },
    { goWeight: 10, stepsMax: 14, eventsMax: 25 },
  ),
  weathers: fc.array(
    fc.constantFrom<Weather>('fine', 'fine', 'fine', 'lost-request', 'lost-answer', 'late'),
    { maxLength: 8 },
  ),
  /** Hours between the two starts. */
  apart: fc.integer({ min: 0, max: 5 }),
  /** Whether time may pass the start. */
  isNear: fc.boolean(),
  mode: fc.constantFrom<ReviewMode>('after', 'before'),
});
type Script = typeof script extends fc.Arbitrary<infer S> ? S : never;

const startPayment = (which: 0 | 1) =>
  ({ is: 'start', job: 'pay', which, killedAfter: null }) as const;
const runSteps = (steps: number) => ({ is: 'go', who: 0, steps }) as const;
/** Scripts for outcomes that random ones rarely reach: both ads run, or a late payment is refunded. */
const rareScripts: Script[] = [
  {
    events: [startPayment(0), startPayment(1)],
    weathers: [],
    apart: 5,
    isNear: false,
    mode: 'after',
  },
  {
    events: [startPayment(0), runSteps(8), { is: 'tick' }, runSteps(1)],
    weathers: ['fine', 'late'],
    apart: 0,
    isNear: true,
    mode: 'after',
  },
  // An ad that is paid but not approved by its start, and one refused by a process killed right after the decision.
  {
    events: [startPayment(0), runSteps(40), { is: 'tick' }],
    weathers: [],
    apart: 5,
    isNear: true,
    mode: 'before',
  },
  {
    events: [
      startPayment(0),
      runSteps(40),
      { is: 'start', job: 'refuse', which: 0, killedAfter: 5 },
      runSteps(40),
      { is: 'start', job: 'approve', which: 0, killedAfter: null },
    ],
    weathers: [],
    apart: 5,
    isNear: false,
    mode: 'after',
  },
  {
    events: [
      startPayment(0),
      runSteps(40),
      { is: 'start', job: 'approve', which: 0, killedAfter: null },
      runSteps(40),
    ],
    weathers: [],
    apart: 5,
    isNear: false,
    mode: 'before',
  },
];

async function newWorld({ apart, isNear, mode }: Script): Promise<World> {
  await Promise.all(
    [slotRows(db), adPayments(db), paymentTokens(db)].map((each) => each.deleteMany({})),
  );
  await advertisementBookings(db).deleteMany({});
  const first = Date.now() + (isNear ? RESERVATION_MS : DAY_MS);
  const make = (hours: number) =>
    makeBooking(
      { db },
      {
        payment_status: 'pending',
        scheduled_start_at: new Date(first + hours * HOUR_MS),
        scheduled_end_at: new Date(first + (hours + 4) * HOUR_MS),
      },
    );
  return {
    bank: new FlakyGateway(),
    clock: { ahead: 0 },
    mode,
    ads: [await make(0), await make(apart)],
  };
}

async function play(world: World, { events, weathers }: Script): Promise<void> {
  world.bank.setWeather(weathers);
  const stage = new Stage<Begun>(world, RESERVATION_MS + 1_000, ({ job, which }, step) =>
    run(world, job, which, step),
  );
  for (const event of events) await stage.play(event);
  await stage.finish();
}

/** Restores the network, moves time forward, and runs the background jobs. */
async function settle(world: World): Promise<void> {
  world.bank.setWeather([]);
  for (let round = 0; round < 3; round++) {
    for (const late of world.bank.late.splice(0)) late();
    world.clock.ahead += RESERVATION_MS + 1_000;
    const { reviews, purchases } = processOf(world, async () => {});
    await reviews.runJob();
    await purchases.runJob();
  }
}

test(`a paid ad runs alone in its time or is refunded: ${RUNS} interleavings`, async () => {
  const ends = new Set<string>();
  await fc.assert(
    fc.asyncProperty(script, async (what) => {
      const world = await newWorld(what);
      await play(world, what);
      await settle(world);
      const rows = await advertisementBookings(db).find().sort({ _id: 1 }).toArray();
      const later = new Date(Date.now() + world.clock.ahead);
      const runs = rows.filter((ad) => ad.payment_status === 'completed' && !ad.cancelled_at);
      for (const ad of rows) {
        const own = [...world.bank.payments.values()].filter(({ key }) =>
          key.startsWith(`advertisement-${ad._id}.`),
        );
        const notRefunded = own.filter(({ state }) => state === 'paid').length;
        // A charge without a refund pays for exactly one running ad, and no one else is charged.
        expect(notRefunded).toBe(runs.includes(ad) ? 1 : 0);
        expect(own.every(({ charges }) => charges <= 1)).toBe(true);
        ends.add(ad.cancelled_at ? `${ad.payment_status} cancelled` : ad.payment_status);
        if (ad.review) ends.add(ad.review.state);
        const isRefused = ad.review?.state === 'refused';
        expect(isRefused && ad.payment_status !== 'refunded').toBe(false);
        const isPendingApproval = ad.pending_approval === true && ad.scheduled_start_at <= later;
        expect(isPendingApproval && runs.includes(ad)).toBe(false);
      }
      const overlap = (a: BookingRow, b: BookingRow) =>
        a.scheduled_start_at < b.scheduled_end_at && b.scheduled_start_at < a.scheduled_end_at;
      expect(runs.filter((a) => runs.some((b) => a !== b && overlap(a, b)))).toEqual([]);
      if (runs.length === 2) ends.add('both');
    }),
    { numRuns: RUNS, examples: rareScripts.map((each) => [each]) },
  );
  // The scripts reach every outcome, so that no property holds vacuously.
  expect([...ends].toSorted()).toEqual(
    expect.arrayContaining([
      'approved',
      'both',
      'completed',
      'failed',
      'not_reviewed',
      'pending',
      'refunded cancelled',
      'refused',
    ]),
  );
}, 300_000);
