import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listDrafts, saveDraft } from '#shared/chat/contract.ts';
import { mergeDraft, NO_DRAFT, type Draft } from '#shared/chat/drafts.ts';
import type { Endpoint } from '#shared/endpoint.ts';
import { Drafts } from '../../../client/features/chat/composer/draft-store.ts';
import { CallError } from '../../../client/platform/http/api-client.ts';
import type { UserDocuments } from '../../../client/platform/sync/documents/user-documents.ts';

/** The server's rows, and whether it can be reached. */
const server = vi.hoisted(() => ({
  rows: new Map<string, Draft>(),
  isReachable: true,
  refusal: null as Error | null,
  /** How often the drafts were read. */
  lists: 0,
}));
vi.mock('../../../client/platform/http/api.ts', () => ({
  async call(endpoint: Endpoint, input: never) {
    if (!server.isReachable) throw new TypeError('Failed to fetch');
    if (endpoint === listDrafts) server.lists++;
    if (endpoint === listDrafts)
      return {
        drafts: [...server.rows].map(([friend_user_id, row]) => ({ friend_user_id, ...row })),
      };
    if (endpoint !== saveDraft) throw new Error('another call');
    if (server.refusal) throw server.refusal;
    const { params, body } = input as { params: { friendUserId: string }; body: never };
    const after = mergeDraft(server.rows.get(params.friendUserId) ?? NO_DRAFT, body);
    if (after.text === '' && after.copy === null) server.rows.delete(params.friendUserId);
    else server.rows.set(params.friendUserId, after);
    return { draft: { friend_user_id: params.friendUserId, ...after } };
  },
}));

const devices: Device[] = [];

/** A device with its own storage. */
class Device {
  readonly storage = new Map<string, string>();
  readonly removed: unknown[] = [];
  former: Record<string, unknown> = {};
  isClosed = false;
  /** Whether the browser stores nothing more, and whether this is said. */
  isFull = false;
  isRefusing = false;
  readonly #listeners = new Set<() => void>();
  #connection = 'offline';
  drafts = this.start();

  constructor() {
    devices.push(this);
  }

  /** Starts the app on this device. */
  start(database: Promise<null> = Promise.resolve(null)): Drafts {
    this.use();
    return new Drafts({
      userId: 'ann',
      database,
      subscribe: (listener: () => void) => this.#listeners.add(listener),
      getSyncState: () => ({ connection: this.#connection }),
      getDocument: () => ({ status: 'ready', doc: { drafts: this.former } }),
      change: (...change: unknown[]) => this.removed.push(change),
      isClosed: this.isClosed,
      noteRefusing: (_: string, failing: boolean) => (this.isRefusing = failing),
    } as unknown as UserDocuments);
  }

  /** `localStorage` is that of this device. */
  use(): this {
    const { storage } = this;
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => storage.get(key) ?? null,
      setItem: (key: string, value: string) => {
        if (this.isFull) throw new DOMException('No room left', 'QuotaExceededError');
        storage.set(key, value);
      },
      removeItem: (key: string) => storage.delete(key),
    });
    return this;
  }

  async write(text: string): Promise<void> {
    this.use().drafts.write('bob', text);
    await pause();
  }

  async connect(): Promise<void> {
    this.#connection = 'connected';
    for (const listener of this.#listeners) listener();
    await pause();
  }

  async look(): Promise<void> {
    this.use().drafts.refetch();
    await pause();
  }

  get text(): string | undefined {
    return this.drafts.getAll()['bob']?.text;
  }
  get copy(): string | null | undefined {
    return this.drafts.getAll()['bob']?.copy;
  }
}

const pause = () => vi.advanceTimersByTimeAsync(2_000);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', new EventTarget());
  vi.spyOn(console, 'error').mockImplementation(() => {});
  Object.assign(server, { isReachable: true, refusal: null, rows: new Map(), lists: 0 });
});
afterEach(() => {
  devices.splice(0);
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('a draft is on the server after a pause, and on the author’s other devices', async () => {
  const [phone, tablet] = [new Device(), new Device()];
  await phone.write('See you');
  expect(phone.drafts.getUnsentCount()).toBe(0);
  await tablet.look();
  expect(tablet.text).toBe('See you');
  await tablet.write('');
  await phone.look();
  expect(phone.text).toBeUndefined();
  expect(server.rows.size).toBe(0);
});

test('a draft that was written offline outlasts the end of the app, and arrives', async () => {
  const phone = new Device();
  server.isReachable = false;
  await phone.write('See you');
  expect(phone.drafts.getUnsentCount()).toBe(1);
  phone.drafts = phone.start();
  expect(phone.text).toBe('See you');
  server.isReachable = true;
  await phone.look();
  expect(phone.drafts.getUnsentCount()).toBe(0);
  expect(server.rows.get('bob')?.text).toBe('See you');
});

test('a draft that an ended session left is restored after the first look, and arrives beside what was typed meanwhile', async () => {
  const phone = new Device();
  const key = 'cache-ann-unsent-drafts';
  const left = { text: 'Left', copy: null, version: 0, drops_copy: false };
  let restore = () => {};
  phone.drafts = phone.start(new Promise((resolve) => (restore = () => resolve(null))));
  await phone.write('See you');
  phone.storage.set(
    key,
    JSON.stringify({ sam: left, ...JSON.parse(phone.storage.get(key) ?? '{}') }),
  );
  restore();
  await phone.look();
  expect(phone.drafts.getUnsentCount()).toBe(0);
  expect(server.rows.get('sam')?.text).toBe('Left');
  expect(server.rows.get('bob')?.text).toBe('See you');
});

test('says that the browser does not store a draft, until it does or the server has it', async () => {
  const phone = new Device();
  server.isReachable = false;
  phone.isFull = true;
  await phone.write('See you');
  expect(phone.isRefusing).toBe(true);
  phone.isFull = false;
  await phone.write('See you soon');
  expect(phone.isRefusing).toBe(false);
  phone.isFull = true;
  await phone.write('See you later');
  expect(phone.isRefusing).toBe(true);
  server.isReachable = true;
  await phone.look();
  expect(phone.isRefusing).toBe(false);
});

test('first drafts of two offline devices are both kept, and the author chooses on either', async () => {
  const [phone, tablet] = [new Device(), new Device()];
  server.isReachable = false;
  await phone.write('From the phone');
  await tablet.write('From the tablet');
  server.isReachable = true;
  await phone.look();
  await tablet.look();
  await phone.look();
  for (const device of [phone, tablet])
    expect([device.text, device.copy]).toEqual(['From the tablet', 'From the phone']);
  phone.use().drafts.write('bob', 'From the phone', true);
  await pause();
  await tablet.look();
  expect([tablet.text, tablet.copy]).toEqual(['From the phone', null]);
});

test('what is typed while an earlier text is on its way is sent next, and conflicts with nothing', async () => {
  const phone = new Device();
  phone.drafts.write('bob', 'See');
  phone.drafts.send();
  phone.drafts.write('bob', 'See you');
  await pause();
  expect(server.rows.get('bob')).toMatchObject({ text: 'See you', copy: null });
  expect(phone.drafts.getUnsentCount()).toBe(0);
});

test('a draft that the server will never take is not sent again', async () => {
  const phone = new Device();
  server.refusal = new CallError('Not friends', 404, 'not_found');
  await phone.write('Hello');
  expect(phone.drafts.getUnsentCount()).toBe(0);
});

test('a draft that the server refuses stays on the device, said to be only there, and takes no other with it', async () => {
  const phone = new Device();
  server.refusal = new CallError('Not a text', 400, 'invalid');
  await phone.write('Hello');
  server.refusal = null;
  phone.use().drafts.write('cas', 'Hi Cas');
  await pause();
  expect(phone.text).toBe('Hello');
  expect([phone.drafts.getUnsentCount(), phone.drafts.getRefusedCount()]).toEqual([0, 1]);
  expect([...server.rows.keys()]).toEqual(['cas']);
  phone.drafts = phone.start();
  await pause();
  expect(phone.drafts.getRefusedCount()).toBe(0);
  expect(server.rows.get('bob')?.text).toBe('Hello');
});

test('drafts are read once at the start: when this device is told of later ones', async () => {
  const phone = new Device();
  await pause();
  expect(server.lists).toBe(0);
  await phone.connect();
  expect(server.lists).toBe(1);
});

test('a draft of a former app is removed from the account once it is changed', async () => {
  const phone = new Device();
  phone.former = { bob: { text: 'Old', at: '2026-01-01T00:00:00.000Z' } };
  await phone.write('New');
  expect(phone.removed).toEqual([
    ['account', 'draft.set', expect.objectContaining({ friend_user_id: 'bob', text: '' })],
  ]);
});

test('a third device that has seen neither of two drafts keeps both, until the user decides', () => {
  const write = (before: Draft, text: string) =>
    mergeDraft(before, { text, base_version: 0, drops_copy: false });
  const two = write(write(NO_DRAFT, 'from the phone'), 'on the tablet');
  expect(two).toMatchObject({ text: 'on the tablet', copy: 'from the phone' });
  const three = write(two, 'at the desk');
  expect(three).toMatchObject({ text: 'at the desk', copy: 'from the phone\n\non the tablet' });
  expect(write(three, 'at the desk')).toBe(three);
});

test('a draft that this version can’t read takes no other with it', async () => {
  const device = new Device();
  device.drafts.write('bob', 'Hello Bob');
  const [key = ''] = [...device.storage.keys()].filter((each) => each.endsWith('unsent-drafts'));
  const stored = JSON.parse(device.storage.get(key) ?? '{}') as object;
  device.storage.set(
    key,
    JSON.stringify({
      ...stored,
      cas: { text: ['of another version'] },
      dan: { text: 'Hello Dan' },
    }),
  );
  const texts = Object.entries(device.start().getAll()).map(([friend, { text }]) => [friend, text]);
  expect(texts).toEqual([
    ['bob', 'Hello Bob'],
    ['dan', 'Hello Dan'],
  ]);
});
