import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Documents } from '../../../sync-server/core/documents/documents.ts';
import { COST_PER_MS, LOADS_AT_ONCE } from '../../../sync-server/core/limits.ts';
import { ConnectionRegistry } from '../../../sync-server/wire/connections/connection-registry.ts';
import { Connection } from '../../../sync-server/wire/connections/connection.ts';
import { DocumentPeer } from '../../../sync-server/wire/connections/document-peer.ts';
import { TokenBucket } from '../../../sync-server/wire/connections/token-bucket.ts';

const MiB = 1024 * 1024;
const log = pino({ level: 'silent' });

/** Creates a connection on a fake socket. */
function connection(bucket = new TokenBucket(1)) {
  const socket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    send: () => {},
    pause: vi.fn<() => void>(),
    resume: vi.fn<() => void>(),
    close: vi.fn<() => void>(),
    terminate: vi.fn<() => void>(),
  });
  const host = { peerId: 'server', storageId: 's', documents: {}, permissions: {}, timesUntil: 0 };
  const session = { sessionId: 'one', userId: 'somebody', lastsUntil: new Date() };
  const snapshot = Promise.resolve({ permissions: new Map(), isCurrent: () => true });
  const made = new Connection(host as never, {
    socket: socket as never,
    line: { bytesRead: 0 },
    session,
    bucket,
    snapshot,
    log,
  });
  onTestFinished(() => made.close(1000, 'over'));
  return { socket, made };
}

// A tenth of the limit, so that the test does not copy hundreds of megabytes.
const tenth = () => new TokenBucket(0.1);

test('a socket is paused when a client requests the same megabytes again and again', () => {
  const { socket, made } = connection(tenth());
  for (let i = 0; i < 10; i++) made.sendSync('a', new Uint8Array(3 * MiB));
  expect(socket.pause).toHaveBeenCalledTimes(1);
});

test('a socket is not paused when a device receives thousands of documents for the first time', () => {
  const { socket, made } = connection(tenth());
  for (let i = 0; i < 300; i++) made.sendSync(`${i}`, new Uint8Array(50_000));
  expect(socket.pause).not.toHaveBeenCalled();
});

test('the number of connections that a user may open in a row is limited', () => {
  const sockets = new ConnectionRegistry({} as never, 1, log);
  onTestFinished(() => sockets.close());
  let opened = 0;
  for (; sockets.hasRoom('somebody') && opened < 2000; opened++) {
    let leave = () => {};
    sockets.add('somebody', (bucket, onClose) => {
      leave = onClose;
      return connection(bucket).made;
    });
    leave();
  }
  expect(opened).toBeGreaterThan(200);
  expect(opened).toBeLessThan(2000);
  expect(sockets.hasRoom('somebody else')).toBe(true);
});

test('a socket is paused when small messages cause much work', () => {
  const { socket, made } = connection(tenth());
  // A change of a card that is as full as can be, again and again.
  for (let i = 0; i < 10; i++) made.chargeTime(130);
  expect(socket.pause).toHaveBeenCalledTimes(1);
});

/** Stops the clock, so that pauses of the machine are not charged. @returns moves it on */
function stopClock(): (ms: number) => void {
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  return (ms) => {
    now += ms;
  };
}

test('a user who loads heavy documents again and again gets a tenth of the time, and others wait for none of them', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const [heavy, other] = [new TokenBucket(1), new TokenBucket(1)];
  const [loaded, running] = [vi.fn<() => void>(), { now: 0, most: 0 }];
  const load = async () => {
    running.most = Math.max(running.most, ++running.now);
    // Reading the database takes a moment, and loading keeps the process busy.
    await new Promise((resolve) => setTimeout(resolve, 2));
    heavy.spend(200 * COST_PER_MS);
    loaded();
    running.now--;
  };
  const all = Promise.all(Array.from({ length: 200 }, () => heavy.loadInTurn(load)));
  const before = loaded.mock.calls.length;
  const small = vi.fn<() => Promise<void>>(async () => {});
  await other.loadInTurn(small);
  expect(small).toHaveBeenCalledTimes(1);
  expect(loaded).toHaveBeenCalledTimes(before);
  await vi.advanceTimersByTimeAsync(30_000);
  // The burst of 2 s, a tenth of 30 s, and those that had begun.
  expect(loaded.mock.calls.length * 200).toBeLessThanOrEqual(2_000 + 3_000 + LOADS_AT_ONCE * 200);
  expect(loaded.mock.calls.length).toBeGreaterThan(10);
  expect(running.most).toBe(LOADS_AT_ONCE);
  await vi.advanceTimersByTimeAsync(600_000);
  await all;
  expect(loaded).toHaveBeenCalledTimes(200);
});

test('reading a projection is charged to the owner of the document', () => {
  const pass = stopClock();
  const value = () => {
    pass(5);
    return {};
  };
  const paid = vi.fn<(userId: string, ms: number) => void>();
  const card = {
    id: 'a',
    kind: 'card',
    ownerUserId: 'somebody',
    content: { value },
    takeSegmentChanges: () => null,
    takeAccount: () => null,
  };
  const projections = { card: () => {} };
  const none = {} as never;
  const documents = new Documents({
    database: none,
    log: none,
    projections: projections as never,
    logger: log,
    onFailure() {},
    onProjected: paid,
  });
  documents.project(card as never);
  expect(paid).toHaveBeenCalledExactlyOnceWith('somebody', expect.closeTo(5));
});

test('collecting all changes of a large document is charged to the user who requests it', () => {
  const pass = stopClock();
  const chargeTime = vi.fn<(ms: number) => void>();
  const head = 'ab'.repeat(32);
  const document = (ms: number) => ({
    id: 'document',
    content: {
      heads: [head],
      headsKey: head,
      hasChange: () => true,
      changesSince() {
        pass(ms);
        return [new Uint8Array(8)];
      },
    },
  });
  const device = {
    userId: 'somebody',
    sendSync: () => {},
    sendEphemeral: () => {},
    refuse: () => {},
    close: () => {},
    chargeTime,
  };
  const asking = {
    message: { heads: [], need: [], chunks: [] },
    stats: { latestTime: 0 },
    startsOver: true,
  };
  for (const ms of [0, 20]) {
    const peer = new DocumentPeer(document(ms) as never, device, false);
    peer.receive(asking as never);
    peer.update();
    expect(chargeTime).toHaveBeenCalledTimes(ms > 0 ? 1 : 0);
  }
});
