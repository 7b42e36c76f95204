import { IDBObjectStore } from 'fake-indexeddb';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WAITED_HEADER, WAITED_MAX_MS } from '#shared/deferred-calls.ts';
import { NOT_YET } from '#shared/endpoint.ts';
import { DAY_MS } from '#shared/time.ts';
import type { UserDocuments } from '../../../client/platform/sync/documents/user-documents.ts';
import {
  Outbox,
  UNDO_MS,
  type Outcome,
  type WaitingCall,
} from '../../../client/platform/sync/outbox/outbox.ts';
import type {
  DocumentState,
  SyncState,
} from '../../../client/platform/sync/state/document-state.ts';
import { openDatabase } from '../../../client/platform/sync/storage/local-database.ts';
import { freshIndexedDb } from '../../fresh-indexed-db.ts';
import { FakeLocks } from './fake-locks.ts';

/** The part of a device's documents that the outbox uses. */
class Device {
  readonly userId = 'ann';
  readonly database: UserDocuments['database'];
  readonly outbox: Outbox;
  readonly outcomes: Outcome[] = [];
  isClosed = false;
  isConfirmed = true;
  #contacts: DocumentState = { status: 'loading', doc: null };
  #connection: SyncState['connection'] = 'offline';
  readonly #listeners = new Set<() => void>();

  constructor({ keeps = true } = {}) {
    this.database = keeps ? openDatabase('ann') : Promise.resolve(null);
    this.outbox = new Outbox(this as unknown as UserDocuments);
    this.outbox.onOutcome((outcome) => void this.outcomes.push(outcome));
    devices.push(this);
  }

  noteRefusing() {}
  noteUnreadable() {}
  subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  getSyncState = () => ({ connection: this.#connection, isConfirmed: this.isConfirmed });
  getDocument = () => this.#contacts;

  /** Sets the version of Bob in the contacts document of this device. 0 removes him. */
  hear(version: number) {
    this.#contacts = { status: 'ready', doc: { people: version > 0 ? { bob: { version } } : {} } };
    for (const listener of this.#listeners) listener();
  }

  connect(connection: SyncState['connection'] = 'connected') {
    this.#connection = connection;
    for (const listener of this.#listeners) listener();
  }

  close() {
    this.isClosed = true;
    for (const listener of this.#listeners) listener();
  }

  ask = (id: string) => this.outbox.add('friends.request', { body: { receiver_user_id: id } });
  block = (id: string) => this.outbox.add('blocks.create', { body: { blocked_user_id: id } });
  unblock = (id: string) => this.outbox.add('blocks.delete', { params: { blockedUserId: id } });
  waiting = () => this.outbox.getWaiting().map(wordsOf);
  shown = () => this.outbox.getShownAsDone().map(wordsOf);
}

const idIn = (input: object) => Object.values(Object.values(input)[0] as object)[0] as string;

const wordsOf = ({ name, input }: WaitingCall) => [name, idIn(input)].join(' ');

interface Sent {
  what: string;
  key: string;
  /** The value of the header, in milliseconds. */
  waited: number;
}

let devices: Device[];
let network: { onLine: boolean; locks: FakeLocks };
let sent: Sent[];
/** Scripted responses of the server, in order. Then calls succeed. */
let answers: (() => Response | Promise<Response>)[];
const done = () =>
  Response.json({
    block: {
      id: '1',
      blocker_user_id: 'ann',
      blocked_user_id: 'bob',
      blocked_user_name: 'Bob',
      reason: null,
      created_at: '2026-01-01T00:00:00Z',
    },
    friend_request: {
      id: '1',
      sender_user_id: 'ann',
      sender_name: 'Ann',
      receiver_user_id: 'bob',
      receiver_name: 'Bob',
      status: 'pending',
      message: null,
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
    },
  });
const refusal = (status: number, code: string, headers = {}) =>
  Response.json({ error: `Words of ${status}`, code }, { status, headers });

beforeEach(() => {
  freshIndexedDb();
  devices = [];
  sent = [];
  answers = [];
  network = { onLine: true, locks: new FakeLocks() };
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.stubGlobal('navigator', network);
  vi.stubGlobal(
    'fetch',
    async (
      path: string,
      init: { method: string; headers: Record<string, string>; body?: string },
    ) => {
      if (path === '/api/health' || !network.onLine) throw new TypeError('Failed to fetch');
      const who = idIn({ body: JSON.parse(init.body ?? '{}') }) ?? path.split('/').at(-1);
      sent.push({
        what: `${init.method} ${who}`,
        key: init.headers['idempotency-key'] ?? '',
        waited: Number(init.headers[WAITED_HEADER]),
      });
      const next = answers.shift();
      if (next) return next();
      return init.method === 'DELETE' ? Response.json({}) : done();
    },
  );
});
afterEach(() => {
  for (const device of devices) device.close();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Waits for a condition, even on a slow machine. */
const until = (check: () => unknown) => vi.waitFor(check);
const sentCalls = () => sent.map(({ what }) => what);
const untilSent = (...what: string[]) =>
  until(async () => {
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sentCalls()).toEqual(what);
  });
const untilEmpty = (device: Device) =>
  until(async () => {
    await vi.advanceTimersByTimeAsync(1_000);
    expect(device.outbox.getWaiting()).toEqual([]);
  });

describe('a queued call', () => {
  it('sends a call at once when online and reports its response', async () => {
    const device = new Device();
    await device.block('bob');
    await untilEmpty(device);
    expect(sentCalls()).toEqual(['POST bob']);
    await until(() =>
      expect(device.outcomes).toMatchObject([
        { call: { name: 'blocks.create' }, answer: { block: { id: '1' } }, refusal: null },
      ]),
    );
  });

  it('sends what can be undone after some seconds, and at once when the page is put away', async () => {
    const listeners = new EventTarget();
    vi.stubGlobal('addEventListener', listeners.addEventListener.bind(listeners));
    vi.stubGlobal('removeEventListener', listeners.removeEventListener.bind(listeners));
    const device = new Device();
    const hold = (id: string) =>
      device.outbox.add('blocks.create', { body: { blocked_user_id: id } }, '', UNDO_MS);
    const first = await hold('bob');
    expect(await device.outbox.takeBack(first)).toBe(true);
    const second = await hold('eve');
    await vi.advanceTimersByTimeAsync(UNDO_MS / 2);
    expect(sentCalls()).toEqual([]);
    listeners.dispatchEvent(new Event('pagehide'));
    await until(async () => {
      await vi.advanceTimersByTimeAsync(1);
      expect(sentCalls()).toEqual(['POST eve']);
    });
    expect(await device.outbox.takeBack(second)).toBe(false);
  });

  it('queues calls offline, lists them and sends them in order once online', async () => {
    network.onLine = false;
    const device = new Device();
    await device.block('bob');
    await device.block('eve');
    await device.unblock('bob');
    expect(device.waiting()).toEqual([
      'blocks.create bob',
      'blocks.create eve',
      'blocks.delete bob',
    ]);
    expect(sent).toEqual([]);
    network.onLine = true;
    device.connect();
    await untilSent('POST bob', 'POST eve', 'DELETE bob');
    await untilEmpty(device);
  });

  it('sends how long a call was queued, and drops it when that is too long', async () => {
    const device = new Device();
    network.onLine = false;
    await device.block('bob');
    vi.setSystemTime(Date.now() + 3 * DAY_MS);
    network.onLine = true;
    await untilEmpty(device);
    expect(sent).toHaveLength(1);
    expect(Math.round((sent[0]?.waited ?? 0) / DAY_MS)).toBe(3);

    network.onLine = false;
    await device.block('eve');
    vi.setSystemTime(Date.now() + WAITED_MAX_MS);
    network.onLine = true;
    await untilEmpty(device);
    await until(() =>
      expect(device.outcomes.at(-1)).toMatchObject({ refusal: { code: 'too_old' } }),
    );
    expect(sent).toHaveLength(1);
  });

  it('keeps queued calls across a restart and sends each under one idempotency key', async () => {
    network.onLine = false;
    const before = new Device();
    await before.block('bob');
    await before.unblock('bob');
    before.close();
    network.onLine = true;
    answers = [() => Promise.reject(new Error('lost')), () => refusal(503, 'unavailable')];
    const device = new Device();
    await untilSent('POST bob', 'POST bob', 'POST bob', 'DELETE bob');
    expect(new Set(sent.slice(0, 3).map(({ key }) => key)).size).toBe(1);
    await untilEmpty(device);
    device.close();
    const after = new Device();
    after.connect();
    await after.block('eve');
    await untilEmpty(after);
    expect(sentCalls().slice(4)).toEqual(['POST eve']);
  });

  it('waits as long as the server asks, even if the connection returns earlier', async () => {
    answers = [() => refusal(429, 'rate_limited', { 'retry-after': '30' })];
    const device = new Device();
    await device.block('bob');
    await until(() => expect(sent).toHaveLength(1));
    await vi.advanceTimersByTimeAsync(29_000);
    device.connect();
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2_000);
    await untilSent('POST bob', 'POST bob');
  });

  it('a rate limit delays only calls of the same kind or about the same person', async () => {
    answers = [() => refusal(429, 'rate_limited', { 'retry-after': '3600' })];
    network.onLine = false;
    const device = new Device();
    await device.ask('bob');
    await device.ask('eve');
    await device.block('bob');
    await device.block('rex');
    await device.unblock('bob');
    network.onLine = true;
    device.connect();
    await untilSent('POST bob', 'POST rex');
    expect(device.waiting()).toEqual([
      'friends.request bob',
      'friends.request eve',
      'blocks.create bob',
      'blocks.delete bob',
    ]);
    // Other calls don't speed it up.
    await device.block('kim');
    await untilSent('POST bob', 'POST rex', 'POST kim');
    await vi.advanceTimersByTimeAsync(3_600_000);
    await untilEmpty(device);
    expect(sentCalls().slice(3)).toEqual(['POST bob', 'POST eve', 'POST bob', 'DELETE bob']);
  });

  it('a call that lacks something on the server delays only calls about the same', async () => {
    const late = () => refusal(503, NOT_YET, { 'retry-after': '2' });
    answers = [late];
    network.onLine = false;
    const device = new Device();
    await device.ask('bob');
    await device.block('bob');
    await device.ask('eve');
    network.onLine = true;
    device.connect();
    await untilSent('POST bob', 'POST eve');
    expect(device.waiting()).toEqual(['friends.request bob', 'blocks.create bob']);
    answers = [late];
    await vi.advanceTimersByTimeAsync(2_000);
    await untilSent('POST bob', 'POST eve', 'POST bob');
    await vi.advanceTimersByTimeAsync(4_000);
    await untilEmpty(device);
    expect(sentCalls().slice(3)).toEqual(['POST bob', 'POST bob']);
  });

  it('leaves calls unknown to this version of the app for another one until they are too old', async () => {
    const database = await openDatabase('ann');
    const wave = { name: 'friends.wave', input: { body: { user_id: 'bob' } }, at: Date.now() };
    const row = { ...wave, idempotencyKey: 'wave', label: 'Bob' };
    await database.commit('outbox', [(store) => store.add(row)]);
    database.close();
    const device = new Device();
    await device.block('bob');
    await untilSent('POST bob');
    await until(() => expect(device.waiting()).toEqual(['friends.wave bob']));
    vi.setSystemTime(Date.now() + WAITED_MAX_MS + 1);
    device.connect();
    await untilEmpty(device);
    expect(sentCalls()).toEqual(['POST bob']);
  });

  it.each([
    [400, 'invalid_input'],
    [403, 'not_admin'],
    [404, 'not_found'],
    [409, 'conflict'],
    [413, 'too_large'],
  ])(
    'drops a permanently rejected call (%i %s), reports the server’s error and continues with the next',
    async (status, code) => {
      answers = [() => refusal(status, code)];
      const device = new Device();
      await device.block('bob');
      await device.block('eve');
      await untilEmpty(device);
      expect(sentCalls()).toEqual(['POST bob', 'POST eve']);
      // Outcomes are reported a moment later.
      await until(() =>
        expect(device.outcomes.map((outcome) => outcome.refusal?.message ?? null)).toEqual([
          `Words of ${status}`,
          null,
        ]),
      );
    },
  );

  it.each([
    [401, 'signed_out'],
    [403, 'no_access'],
    [403, 'suspended'],
    [409, 'still_running'],
    [500, 'internal'],
    [404, 'failed'],
  ])('keeps a temporarily rejected call (%i %s) and sends it again', async (status, code) => {
    answers = [() => refusal(status, code)];
    const device = new Device();
    await device.block('bob');
    await until(() => expect(sent).toHaveLength(1));
    expect(device.waiting()).toEqual(['blocks.create bob']);
    await untilSent('POST bob', 'POST bob');
    await untilEmpty(device);
    await until(() => expect(device.outcomes.map((outcome) => outcome.refusal)).toEqual([null]));
  });

  it('gives up a call that always fails on the server, so that others are sent', async () => {
    answers = Array.from({ length: 100 }, () => () => refusal(500, 'internal'));
    const device = new Device();
    await device.block('bob');
    await device.block('eve');
    await until(async () => {
      await vi.advanceTimersByTimeAsync(60_000);
      expect(sentCalls().at(-1)).toBe('POST eve');
    });
    expect(device.outcomes[0]?.refusal?.status).toBe(500);
  });

  it('does not give up a failing call within seconds while the connection comes and goes', async () => {
    answers = Array.from({ length: 100 }, () => () => refusal(500, 'internal'));
    const device = new Device();
    await device.block('bob');
    for (let turn = 1; turn <= 20; turn++) {
      device.connect(turn % 2 === 0 ? 'offline' : 'connected');
      await until(() => expect(sent.length).toBeGreaterThanOrEqual(Math.ceil(turn / 2)));
      await vi.advanceTimersByTimeAsync(500);
    }
    expect(sent.length).toBeGreaterThan(8);
    expect(device.outcomes).toEqual([]);
    expect(device.waiting()).toEqual(['blocks.create bob']);
  });

  it('does not retry a call sooner because the connection is lost', async () => {
    answers = [() => refusal(500, 'internal')];
    const device = new Device();
    device.connect();
    await device.block('bob');
    await until(() => expect(sent).toHaveLength(1));
    await until(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
    device.connect('offline');
    await vi.advanceTimersByTimeAsync(900);
    expect(sent).toHaveLength(1);
    await untilSent('POST bob', 'POST bob');
  });

  it.each([
    ['an id of another type', { block: { id: 7, blocked_user_id: 'bob' } }],
    ['another shape', { blocks: [] }],
  ])('counts a call as done when a newer server acknowledges it with %s', async (_, answer) => {
    const device = new Device();
    answers = [() => Response.json(answer)];
    await device.block('bob');
    await device.block('eve');
    await untilEmpty(device);
    expect(sentCalls()).toEqual(['POST bob', 'POST eve']);
    await until(() => expect(device.outcomes.map(({ refusal }) => refusal)).toEqual([null, null]));
  });

  it('retries a call when a captive portal responds instead of the server', async () => {
    const device = new Device();
    answers = [() => new Response('<p>Sign in to the Wi-Fi</p>')];
    await device.block('bob');
    await untilEmpty(device);
    expect(sentCalls()).toEqual(['POST bob', 'POST bob']);
  });

  it('counts a removal as done when the item no longer exists', async () => {
    answers = [() => refusal(404, 'not_found')];
    const device = new Device();
    await device.unblock('bob');
    await untilEmpty(device);
    await until(() => expect(device.outcomes).toMatchObject([{ refusal: null }]));
  });

  it('sends each call once from two tabs and shows the same queue in both', async () => {
    network.onLine = false;
    const [one, two] = [new Device(), new Device()];
    await one.block('bob');
    await two.block('eve');
    await until(() => expect(one.waiting()).toHaveLength(2));
    await until(() => expect(two.waiting()).toEqual(one.waiting()));
    network.onLine = true;
    two.connect();
    one.connect();
    await untilEmpty(one);
    await untilEmpty(two);
    expect(sentCalls()).toEqual(['POST bob', 'POST eve']);
  });

  it('remembers what the server refused, also in the tab that did not send it', async () => {
    const [one, two] = [new Device(), new Device()];
    answers = [() => refusal(403, 'blocked')];
    const key = await one.block('bob');
    const done = await one.block('eve');
    await untilEmpty(one);
    for (const { outbox } of [one, two]) {
      await until(() => expect(outbox.isRefused(key)).toBe(true));
      expect(outbox.isRefused(done)).toBe(false);
    }
  });

  it('queues calls in memory when the browser stores nothing', async () => {
    network.onLine = false;
    const device = new Device({ keeps: false });
    await device.block('bob');
    await device.block('eve');
    expect(device.waiting()).toEqual(['blocks.create bob', 'blocks.create eve']);
    network.onLine = true;
    device.connect();
    await untilSent('POST bob', 'POST eve');
    await untilEmpty(device);
  });

  it('waits for earlier calls that cannot be read, says that it does not know them, and sends its own after several tries', async () => {
    const before = new Device();
    network.onLine = false;
    await before.block('eve');
    before.close();
    network.onLine = true;
    const lost = vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementation(() => {
      throw new DOMException('Connection to Indexed Database server lost', 'UnknownError');
    });
    const device = new Device();
    device.connect();
    await device.block('bob');
    expect(device.outbox.getUnsentCount()).toBeNull();
    expect(sentCalls()).toEqual([]);
    await vi.advanceTimersByTimeAsync(60_000);
    await untilSent('POST bob');
    expect(device.outbox.getUnsentCount()).toBeNull();
    lost.mockRestore();
    await vi.advanceTimersByTimeAsync(60_000);
    await untilSent('POST bob', 'POST eve');
    await until(() => expect(device.outbox.getUnsentCount()).toBe(0));
  });

  it('keeps the order of calls when the browser rejects storing one', async () => {
    network.onLine = false;
    const device = new Device();
    await device.block('bob');
    const add = vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
      throw new DOMException('No room', 'QuotaExceededError');
    });
    await device.block('eve');
    add.mockRestore();
    await device.unblock('bob');
    expect(device.waiting()).toEqual([
      'blocks.create bob',
      'blocks.create eve',
      'blocks.delete bob',
    ]);
  });

  it('sends nothing after a logout or with the session of another user', async () => {
    network.onLine = false;
    const device = new Device();
    await device.block('bob');
    network.onLine = true;
    const user = {
      id: 'zoe',
      email: 'zoe@example.com',
      given_name: 'Zoe',
      name: 'Zoe',
      picture: null,
      is_admin: false,
      access_expires_at: null,
      has_access: true,
      documents: { card: 'automerge:1', account: 'automerge:2', contacts: 'automerge:3' },
    };
    vi.stubGlobal('localStorage', { getItem: () => JSON.stringify(user) });
    device.connect();
    await vi.advanceTimersByTimeAsync(60_000);
    vi.unstubAllGlobals();
    device.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toEqual([]);
    await expect(device.block('eve')).rejects.toThrow('No user is signed in');
  });

  it('delivers each call once and in order, whatever is lost on the network', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('done', 'lost', 'answer lost', 503, 429), { maxLength: 12 }),
        fc.integer({ min: 1, max: 5 }),
        async (weather, count) => {
          freshIndexedDb();
          network.onLine = false;
          const device = new Device();
          const names = Array.from({ length: count }, (_, i) => `user-${i}`);
          for (const name of names) await device.block(name);
          const performed: string[] = [];
          sent = [];
          const take = () => {
            const { what, key } = sent.at(-1) ?? { what: '', key: '' };
            if (!performed.includes(`${what} ${key}`)) performed.push(`${what} ${key}`);
            return done();
          };
          answers = weather.map((each) => () => {
            if (each === 'done') return take();
            if (each === 'lost') throw new Error('lost');
            if (typeof each === 'number') return refusal(each, 'later');
            take();
            throw new Error('the answer is lost');
          });
          answers.push(...names.map(() => take));
          network.onLine = true;
          device.connect();
          await until(async () => {
            await vi.advanceTimersByTimeAsync(60_000);
            expect(device.outbox.getWaiting()).toEqual([]);
          });
          expect(performed.map((each) => each.split(' ')[1])).toEqual(names);
          device.close();
        },
      ),
      { numRuns: 15 },
    );
  });
});

describe('calls that the server completed', () => {
  it('shows a completed call in each tab until the contacts document includes it', async () => {
    const before = new Device();
    before.hear(1);
    await before.block('bob');
    await untilEmpty(before);
    expect(before.shown()).toEqual(['blocks.create bob']);
    before.close();

    const [one, two] = [new Device(), new Device()];
    for (const device of [one, two])
      await until(() => expect(device.shown()).toEqual(['blocks.create bob']));
    // The version on the disk, without a change.
    one.hear(1);
    two.hear(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(one.shown()).toEqual(['blocks.create bob']);
    expect(one.waiting()).toEqual([]);
    one.hear(2);
    for (const device of [one, two]) await until(() => expect(device.shown()).toEqual([]));
    expect(sentCalls()).toEqual(['POST bob']);
  });

  it('shows a completed call in order with later calls', async () => {
    const device = new Device();
    device.hear(1);
    await device.block('bob');
    await untilEmpty(device);
    await device.unblock('bob');
    expect(device.shown()).toEqual(['blocks.create bob', 'blocks.delete bob']);
    expect(device.waiting()).toEqual(['blocks.delete bob']);
    await untilEmpty(device);
    device.hear(3);
    expect(device.shown()).toEqual([]);
  });

  it('does not show a completed call when the contacts document already includes it', async () => {
    const device = new Device();
    device.hear(0);
    answers = [
      () => {
        device.hear(1);
        return done();
      },
    ];
    await device.ask('bob');
    await untilEmpty(device);
    await until(() => expect(device.shown()).toEqual([]));
  });

  it('stops showing a completed call after the contacts document is confirmed without it', async () => {
    const device = new Device();
    device.isConfirmed = false;
    device.hear(1);
    device.connect();
    answers = [() => refusal(404, 'not_found')];
    await device.unblock('bob');
    await untilEmpty(device);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(device.shown()).toEqual(['blocks.delete bob']);
    device.isConfirmed = true;
    device.connect();
    await vi.advanceTimersByTimeAsync(5_000);
    device.connect('offline');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(device.shown()).toEqual(['blocks.delete bob']);
    device.connect();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(device.shown()).toEqual([]);
  });
});

it('keeps data of devices from before the outbox existed', async () => {
  const old = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open('leashwise-ann', 1);
    request.onupgradeneeded = () =>
      ['confirmed', 'pictures'].map((name) => request.result.createObjectStore(name));
    request.onsuccess = () => resolve(request.result);
  });
  old.transaction('confirmed', 'readwrite').objectStore('confirmed').put('heads', 'id');
  old.close();
  const database = await openDatabase('ann');
  expect(await database.read('confirmed', (store) => store.get('id'))).toBe('heads');
  expect(await database.read('outbox', (store) => store.count())).toBe(0);
  database.close();
});
