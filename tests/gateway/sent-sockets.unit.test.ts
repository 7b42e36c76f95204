import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SentSockets } from '#shared/sync/sent-sockets.ts';
import type { Handover, SocketHandle } from '#shared/sync/socket-handover.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SILENCE_MS = 5_000;
const UNDER_WAY_MAX = 256;
const handle: SocketHandle = { reading: false, readStop: () => 0, close() {} };
const read = { method: 'GET', url: '/sync', headers: {}, head: '' };

/** A channel that keeps what is sent until it is passed on. */
function channel() {
  const inChannel: { id: number; done: (error?: Error | null) => void }[] = [];
  const outcomes: boolean[] = [];
  let released = 0;
  const sockets = new SentSockets((message: Handover, _handle, done) => {
    inChannel.push({ id: message.handover, done });
  });
  const add = (count: number) => {
    for (let i = 0; i < count; i++)
      sockets.add(
        read,
        handle,
        (isTaken) => void outcomes.push(isTaken),
        () => released++,
      );
  };
  const answer = (id: number, isTaken = true) => sockets.onMessage({ handover: id, isTaken });
  return { sockets, inChannel, outcomes, add, answer, released: () => released };
}

test('an answer settles what was sent before, and got lost', () => {
  const { add, answer, inChannel, outcomes, released } = channel();
  add(3);
  for (const { done } of inChannel) done();
  answer(2);
  expect(outcomes).toEqual([false, true]);
  expect(released()).toBe(2);
});

test('when nothing is answered, all are settled, and later ones are sent', () => {
  const { add, answer, inChannel, outcomes, released } = channel();
  add(5_000);
  // The queue is bounded.
  expect(outcomes).toHaveLength(5_000 - 4_096);
  expect(inChannel).toHaveLength(UNDER_WAY_MAX);
  for (const { done } of inChannel) done();
  vi.advanceTimersByTime(SILENCE_MS);
  expect(outcomes).toEqual(Array.from({ length: 5_000 }, () => false));
  expect(released()).toBe(5_000);

  add(1);
  const last = inChannel.at(-1)!;
  last.done();
  answer(last.id);
  expect(outcomes.at(-1)).toBe(true);
});

test('a channel that passes nothing on keeps a bounded number, with their handles', () => {
  const { sockets, add, inChannel, outcomes, released } = channel();
  add(1_000);
  vi.advanceTimersByTime(SILENCE_MS);
  add(1_000);
  vi.advanceTimersByTime(SILENCE_MS);
  expect(outcomes).toHaveLength(2_000);
  expect(inChannel).toHaveLength(UNDER_WAY_MAX);
  expect(released()).toBe(2_000 - UNDER_WAY_MAX);

  sockets.abandon();
  expect(released()).toBe(2_000);
  add(1);
  expect(inChannel).toHaveLength(UNDER_WAY_MAX + 1);
});

test('a process that is not running refuses all at once', () => {
  const outcomes: boolean[] = [];
  const sockets = new SentSockets((_message, _handle, done) => done(new Error('not running')));
  for (let i = 0; i < 3_000; i++)
    sockets.add(read, handle, (isTaken) => void outcomes.push(isTaken));
  expect(outcomes).toEqual(Array.from({ length: 3_000 }, () => false));
});
