import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Budget } from '../../sync-server/budget.ts';
import { Connection } from '../../sync-server/connection.ts';
import { Documents } from '../../sync-server/documents.ts';
import { Peer } from '../../sync-server/peer.ts';
import { Sockets } from '../../sync-server/sockets.ts';

const MiB = 1024 * 1024;
const log = pino({ level: 'silent' });

/** A connection that sends whatever is given to it into a socket that goes nowhere. */
function connection(budget = new Budget(1)) {
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
  const host = { peerId: 'server', storageId: 's', documents: {}, rights: {} };
  const standing = { sessionId: 'one', userId: 'somebody' };
  const listed = Promise.resolve({ rights: new Map(), isCurrent: () => true });
  const made = new Connection(host as never, socket as never, standing, { budget, listed }, log);
  onTestFinished(() => made.close(1000, 'over'));
  return { socket, made };
}

// A tenth of what is allowed, lest the test copy hundreds of megabytes.
const tenth = () => new Budget(0.1);

test('whoever has the same megabytes sent again and again is not heard for a while', () => {
  const { socket, made } = connection(tenth());
  for (let i = 0; i < 10; i++) made.sync('a', new Uint8Array(3 * MiB));
  expect(socket.pause).toHaveBeenCalledTimes(1);
});

test('a device that gets thousands of documents for the first time is heard all the time', () => {
  const { socket, made } = connection(tenth());
  for (let i = 0; i < 300; i++) made.sync(`${i}`, new Uint8Array(50_000));
  expect(socket.pause).not.toHaveBeenCalled();
});

test('whoever opens one socket after the other is let in at a moderate rate', () => {
  const sockets = new Sockets({} as never, 1, log);
  onTestFinished(() => sockets.close());
  let opened = 0;
  for (; sockets.hasRoom('somebody') && opened < 2000; opened++) {
    let leave = () => {};
    sockets.add('somebody', (budget, left) => {
      leave = left;
      return connection(budget).made;
    });
    leave();
  }
  expect(opened).toBeGreaterThan(200);
  expect(opened).toBeLessThan(2000);
  expect(sockets.hasRoom('somebody else')).toBe(true);
});

test('whoever has much work made by little is not heard for a while', () => {
  const { socket, made } = connection(tenth());
  // A change of a card that is as full as can be, again and again.
  for (let i = 0; i < 10; i++) made.spend(130);
  expect(socket.pause).toHaveBeenCalledTimes(1);
});

test('whoever writes a document pays for what is read out of it', () => {
  const value = () => {
    for (const until = performance.now() + 5; performance.now() < until;);
    return {};
  };
  const paid = vi.fn<(userId: string, ms: number) => void>();
  const card = {
    id: 'a',
    kind: 'card',
    ownerUserId: 'somebody',
    content: { value },
    takeNews: () => null,
    takeSharing: () => null,
  };
  const projections = { card: () => {} };
  const none = {} as never;
  const documents = new Documents(none, none, projections as never, log, () => {}, paid);
  documents.project(card as never);
  expect(paid).toHaveBeenCalledExactlyOnceWith('somebody', expect.any(Number));
  expect(paid.mock.calls[0]?.[1]).toBeGreaterThanOrEqual(5);
});

test('whoever asks for all of a large document pays for the time that it takes to put it together', () => {
  const spend = vi.fn<(ms: number) => void>();
  const head = 'ab'.repeat(32);
  const document = (ms: number) => ({
    id: 'document',
    content: {
      heads: [head],
      headsKey: head,
      knows: () => true,
      changesSince() {
        const end = performance.now() + ms;
        while (performance.now() < end);
        return [new Uint8Array(8)];
      },
    },
  });
  const device = { userId: 'somebody', sync: () => {}, relay: () => {}, close: () => {}, spend };
  const asking = {
    message: { heads: [], need: [], chunks: [] },
    unpacked: { latestTime: 0 },
    startsOver: true,
  };
  for (const ms of [0, 20]) {
    const peer = new Peer(document(ms) as never, device, false);
    peer.receive(asking as never);
    peer.update();
    expect(spend).toHaveBeenCalledTimes(ms > 0 ? 1 : 0);
  }
});
