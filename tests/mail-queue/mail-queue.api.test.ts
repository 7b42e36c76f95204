import type { Collection, Db } from 'mongodb';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { backoffMs } from '#shared/backoff.ts';
import { type QueueRow, queuedMail } from '../../api/platform/mail-queue/collections.ts';
import type { Message } from '../../api/platform/mail-queue/messages.ts';
import { NotSent } from '../../api/platform/mail-queue/sender.ts';
import {
  GIVE_UP_MS,
  LEASE_MS,
  QueueWorker,
  PAUSES_MS,
} from '../../api/platform/mail-queue/worker.ts';
import { closeTestDatabase, openTestDatabase } from '../databases.ts';

let db: Db;
let rows: Collection<QueueRow>;
beforeAll(async () => {
  db = await openTestDatabase(inject('mongodbUri'));
  rows = queuedMail(db);
});
afterAll(async () => {
  await closeTestDatabase(db);
});

const START = Date.parse('2026-11-21T10:00:00Z');
let now: number;
let sent: string[];
let optedOut: string[];
/** How the provider handles each attempt. */
let provider: (message: Message, key: string) => Promise<string | null>;
beforeEach(async () => {
  await rows.deleteMany({});
  now = START;
  sent = [];
  optedOut = [];
  provider = async (_message, key) => {
    sent.push(key);
    return `id of ${key}`;
  };
});

const message: Message = { channel: 'sms', to: '+12025550123', text: 'Hello', unsolicited: true };
const row = (_id: string, changes: Partial<QueueRow> = {}): QueueRow => ({
  _id,
  channel: 'sms',
  message,
  status: 'waiting',
  attempts: 0,
  due_at: new Date(START),
  lease: null,
  created_at: new Date(START),
  settled_at: null,
  provider_id: null,
  error_code: null,
  ...changes,
});
const worker = () =>
  new QueueWorker({
    rows,
    log: pino({ level: 'silent' }),
    send: (message, { _id }) => provider(message, _id),
    hasOptedOut: async ({ to }) => optedOut.includes(to),
    onOptOut: async ({ to }) => void optedOut.push(to),
    now: () => now,
  });
const failing =
  (detail: ConstructorParameters<typeof NotSent>[1] = {}) =>
  async () => {
    throw new NotSent('no luck', detail);
  };
function deferred<T>() {
  let settle!: { resolve: (value: T) => void; reject: (error: Error) => void };
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...settle };
}
const the = async (_id: string) => {
  const found = await rows.findOne({ _id });
  if (!found) throw new Error(`${_id} is gone`);
  return found;
};

test('sends messages that are due and then deletes their content', async () => {
  await rows.insertMany([row('a'), row('b'), row('later', { due_at: new Date(START + 1) })]);
  await worker().run();
  expect(sent.toSorted()).toEqual(['a', 'b']);
  expect(await the('a')).toEqual({
    ...row('a'),
    message: undefined,
    status: 'sent',
    attempts: 1,
    due_at: new Date(START + LEASE_MS),
    settled_at: new Date(START),
    provider_id: 'id of a',
  });
  await worker().run();
  expect(sent).toHaveLength(2);
});

test('sends up to four messages at a time, and looks for the next one only while there is room', async () => {
  await rows.insertMany(['a', 'b', 'c', 'd', 'e', 'f'].map((id) => row(id)));
  const looks = vi.spyOn(rows, 'find');
  const { promise: answered, resolve: answer } = deferred<null>();
  provider = (_message, key) => {
    sent.push(key);
    return answered;
  };
  const running = worker().run();
  await vi.waitFor(() => expect(sent).toHaveLength(4));
  expect(looks).toHaveBeenCalledTimes(1);
  answer(null);
  await running;
  expect(sent).toHaveLength(6);
  looks.mockRestore();
});

test('several workers send each message once', async () => {
  const keys = Array.from({ length: 40 }, (_, index) => `m${index}`);
  await rows.insertMany(keys.map((key) => row(key)));
  await Promise.all([worker(), worker(), worker()].map((each) => each.run()));
  expect(sent.toSorted()).toEqual(keys.toSorted());
});

describe('a failed attempt', () => {
  test('retries a failed message at growing intervals for one day', async () => {
    await rows.insertOne(row('a'));
    let tries = 0;
    provider = async () => {
      tries++;
      throw new Error('the network is away');
    };
    const waits: number[] = [];
    for (;;) {
      await worker().run();
      const { status, due_at } = await the('a');
      if (status !== 'waiting') break;
      waits.push(due_at.getTime() - now);
      now = due_at.getTime();
    }
    expect(await the('a')).toMatchObject({
      status: 'failed',
      error_code: 'unknown',
      attempts: tries,
    });
    expect((await the('a')).message).toBeUndefined();
    expect(tries).toBeGreaterThan(20);
    expect(now - START).toBeLessThanOrEqual(GIVE_UP_MS);
    expect(now - START).toBeGreaterThan(GIVE_UP_MS / 2);
    expect(waits[0]).toBeLessThan(30_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(75 * 60_000);
  });

  test('waits as long as the provider asks for', async () => {
    await rows.insertOne(row('a'));
    provider = failing({ retryAfterMs: 3 * 60 * 60_000 });
    await worker().run();
    expect((await the('a')).due_at).toEqual(new Date(START + 3 * 60 * 60_000));
  });

  test('does not retry after a permanent failure', async () => {
    await rows.insertOne(row('a'));
    provider = failing({ isFinal: true });
    await worker().run();
    expect(await the('a')).toMatchObject({ status: 'failed', error_code: 'no luck', attempts: 1 });
  });

  test('drops further messages to a recipient who opted out', async () => {
    await rows.insertMany([row('a'), row('b', { due_at: new Date(START + 1) })]);
    provider = failing({ isOptOut: true });
    await worker().run();
    now = START + 1;
    provider = async () => {
      throw new Error('must not be tried');
    };
    await worker().run();
    expect(await the('a')).toMatchObject({ status: 'dropped', attempts: 1 });
    expect(await the('b')).toMatchObject({ status: 'dropped', error_code: null });
  });

  test('sends requested messages, such as receipts, despite an opt-out', async () => {
    optedOut.push(message.to);
    await rows.insertOne(row('a', { message: { ...message, unsolicited: false } }));
    await worker().run();
    expect(sent).toEqual(['a']);
  });
});

describe('a process that dies', () => {
  test('another worker sends the message of a stopped worker once its lease ends', async () => {
    await rows.insertOne(row('a'));
    const begun = deferred<void>();
    const stuck = deferred<never>();
    provider = async () => {
      begun.resolve();
      return stuck.promise;
    };
    const dying = worker().run();
    await begun.promise;
    provider = async (_message, key) => {
      sent.push(key);
      return 'from the other one';
    };
    now = START + LEASE_MS - 1;
    await worker().run();
    expect(sent).toEqual([]);
    now = START + LEASE_MS;
    await worker().run();
    expect(sent).toEqual(['a']);
    // The first worker was only slow: its result is ignored.
    stuck.reject(new Error('too late'));
    await dying;
    expect(await the('a')).toMatchObject({
      status: 'sent',
      attempts: 2,
      provider_id: 'from the other one',
    });
  });

  test('gives up on a message whose workers keep crashing', async () => {
    await rows.insertOne(
      row('a', {
        attempts: 30,
        due_at: new Date(START),
        created_at: new Date(START - GIVE_UP_MS - 1),
      }),
    );
    await worker().run();
    expect(sent).toEqual([]);
    expect(await the('a')).toMatchObject({ status: 'failed' });
  });
});

test('closing a worker waits for sends in progress and starts no more', async () => {
  await rows.insertMany(Array.from({ length: 12 }, (_, index) => row(`m${index}`)));
  const closing = worker();
  let inFlight = 0;
  const gate = deferred<void>();
  const begun = deferred<void>();
  provider = async (_message, key) => {
    inFlight++;
    begun.resolve();
    await gate.promise;
    inFlight--;
    sent.push(key);
    return null;
  };
  const run = closing.run();
  await begun.promise;
  const closed = closing.close();
  gate.resolve();
  await closed;
  await run;
  expect(inFlight).toBe(0);
  expect(sent.length).toBeLessThan(12);
  expect(await rows.countDocuments({ status: 'sent' })).toBe(sent.length);
});

test('pauses between attempts grow to an hour', () => {
  expect([1, 2, 3, 10, 1000].map((attempts) => backoffMs(PAUSES_MS, attempts - 1, 1))).toEqual([
    20_000, 40_000, 80_000, 3_600_000, 3_600_000,
  ]);
});
