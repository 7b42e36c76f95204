import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { pino } from 'pino';
import {
  accessCodes,
  accessCodeUses,
  accessGrants,
} from '../../api/features/access-gate/collections.ts';
import { tieGrant } from '../../api/features/access-gate/grants.ts';
import { redeemCode } from '../../api/features/access-gate/redeem-code.ts';
import {
  type DonationRow,
  donations,
  providerStateOf,
} from '../../api/features/payments/collections.ts';
import { createDonationMachine } from '../../api/features/payments/donations.ts';
import { users } from '../../api/platform/session/collections.ts';
import { FlakyGateway } from './flaky-gateway.ts';
import { steppingThrough, type Actor } from './steps.ts';

/** The jobs of the processes, by weight. */
export const JOBS = {
  click: 5,
  'other-click': 2,
  'bad-click': 1,
  check: 1,
  job: 2,
  news: 2,
  enter: 3,
  'enter-unknown': 3,
  'sign-in': 2,
} as const;
export type Job = keyof typeof JOBS;

/** Longer than a payment may stay locked. */
export const TICK_MS = 100_000;

const quiet = pino({ level: 'silent' });

/** The state of one run. */
export interface World {
  db: Db;
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

/** One process of the API, with each operation in the database and at the gateway as a step. */
function processOf(world: World, step: () => Promise<void>) {
  const { db, bank } = world;
  const through = steppingThrough(
    db,
    ['donations', 'access_codes', 'access_code_uses', 'access_grants', 'payment_tokens', 'users'],
    step,
  );
  const signals = {
    send: step,
    listen: () => () => {},
    isFresh: () => true,
    whenFresh: step,
    close: step,
  };
  const services = { db: through, signals, log: quiet };
  return { services, machine: createDonationMachine(services, bank.gateway(step), now(world)) };
}

const rowOf = async ({ db, id }: World): Promise<DonationRow> => {
  const row = await donations(db).findOne({ _id: id });
  if (!row) throw new Error('the donation has gone');
  return row;
};
export const paymentOf = ({ bank, id }: World) =>
  [...bank.payments.entries()].find(([, { key }]) => key === `donation-${id}`);

export async function run(world: World, what: Job, step: () => Promise<void>): Promise<unknown> {
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
    case 'job':
      return machine.runJob();
    case 'news': {
      const [paymentId] = paymentOf(world) ?? [];
      return paymentId ? machine.handleEvent(paymentId) : null;
    }
    case 'enter':
    case 'enter-unknown': {
      if (!row.access_code_granted) return null;
      const entry = await redeemCode(services, row.access_code_granted, {
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

export async function newWorld(db: Db): Promise<World> {
  const id = randomUUID();
  const userId = randomUUID();
  const at = new Date();
  await users(db).insertOne({
    _id: userId,
    identity: userId,
    email: `${userId}@example.com`,
    email_verified: true,
    given_name: '',
    name: '',
    picture: null,
    is_admin: false,
    access_expires_at: null,
    documents: { card: '', account: '', contacts: '' },
    documents_ready: true,
    created_at: at,
  });
  await donations(db).insertOne({
    _id: id,
    holder: `the browser of ${id}`,
    user_id: null,
    email: null,
    amount_cents: 100,
    currency: 'USD',
    payment_provider: 'sandbox',
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
  return { db, bank: new FlakyGateway(), id, userId, clock: { ahead: 0 } };
}

/** The result of a call that pays or checks a donation. */
export interface Notified {
  status: DonationRow['payment_status'];
  code: string | null;
}
export const notifiedBy = ({ result }: Actor): Notified[] => {
  const row = result as Partial<DonationRow> | null;
  return row?.payment_status
    ? [{ status: row.payment_status, code: row.access_code_granted ?? null }]
    : [];
};

const straight = async () => {};

/** Advances the clock, restores the network, delivers the gateway's events and background jobs. */
export async function comeToRest(world: World): Promise<void> {
  world.clock.ahead += TICK_MS;
  world.bank.setWeather([]);
  for (const what of ['news', 'job', 'news'] as const) await run(world, what, straight);
  // Delayed requests arrive last.
  for (const arrive of world.bank.late.splice(0)) arrive();
  for (const what of ['news', 'job'] as const) await run(world, what, straight);
}

/** Returns the problems at the end of a run as texts, with the final status. */
export async function problemsOf(
  world: World,
  notifications: readonly Notified[],
): Promise<{ end: DonationRow['payment_status']; wrong: string[] }> {
  const { db, bank, id, userId } = world;
  const wrong: string[] = [];
  const must = (holds: boolean, words: string) => void (holds || wrong.push(words));
  // The donor redeems the code again.
  const entry = await run(world, 'enter', straight);
  const row = await rowOf(world);
  const [, payment] = paymentOf(world) ?? [];
  const charges = payment?.charges ?? 0;
  const access_code_id = `donation-${id}`;
  const code = await accessCodes(db).findOne({ _id: access_code_id });
  const codes = await accessCodes(db).countDocuments({ holder: row.holder });
  const uses = await accessCodeUses(db).countDocuments({ access_code_id });
  const grants = await accessGrants(db).countDocuments({ access_code_id });
  const access = (await users(db).findOne({ _id: userId }))?.access_expires_at ?? null;
  const end = row.payment_status;

  must(bank.payments.size <= 1, 'opened once');
  must(charges <= 1, 'charged once');
  must(codes <= 1, 'one code');
  must(uses <= 1, 'used once');
  if (end === 'pending')
    must(!row.submitted_at && !payment, 'pending only before it was handed in');
  if (end === 'completed') {
    must(payment?.state === 'paid' && charges === 1, 'completed is paid');
    must(code?.is_active === true && code.max_uses === 1, 'completed has its code');
    must(code?.code === row.access_code_granted, 'the code that the donation names');
    must(entry !== null && access !== null && uses === 1, 'who paid gets in');
  }
  if (end === 'failed') {
    must(charges === 0, 'failed is not charged');
    must(code === null && access === null, 'failed gives nothing');
    // A payment without a known id may stay open, since it can't be paid.
    must(!row.payment_id || payment?.state === 'closed', 'failed is closed for good');
  }
  if (end === 'refunded') {
    must(payment?.state === 'refunded' && charges === 1, 'refunded was paid');
    must(code?.is_active === false, 'refunded ends its code');
    must(entry === null && access === null && grants === 0, 'refunded takes access back');
  }
  if (payment && (end === 'completed' || end === 'refunded'))
    must(providerStateOf(row) === payment.money, 'the state of the money');
  // The results that users saw are true and only move forward, but for refunds that failed.
  for (const [turn, { status, code: given }] of notifications.entries()) {
    must(status !== 'failed' || end === 'failed', 'told failed, and it is');
    const isPaid = (each: string) => each === 'completed' || each === 'refunded';
    must(!isPaid(status) || isPaid(end), 'told completed or refunded');
    must(!given || given === code?.code, 'told the one code');
    const before = notifications[turn - 1]?.status ?? 'pending';
    must(!isPaid(before) || isPaid(status), 'told forward');
  }
  return { end, wrong };
}
