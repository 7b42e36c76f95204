import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallError } from '../../../client/platform/http/api-client.ts';
import { reachability } from '../../../client/platform/http/reachability.ts';
import { Sender } from '../../../client/platform/http/retry.ts';

let failure: Error | null;
let sent: number;
let sender: Sender;
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(1);
  vi.spyOn(console, 'error').mockReturnValue();
  failure = new Error('no answer');
  sent = 0;
  sender = new Sender(async () => {
    sent++;
    if (failure) throw failure;
  }, 'Failed to send');
});
afterEach(() => {
  sender.stop();
  reachability.set(true);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const failTimes = async (times: number) => {
  sender.wake();
  await vi.advanceTimersByTimeAsync(0);
  for (let i = 1; i < times; i++) await vi.advanceTimersToNextTimerAsync();
  expect(sent).toBe(times);
};

test('waits up to a minute after failures, and sends as soon as our server answers again', async () => {
  await failTimes(7);
  reachability.set(false);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(sent).toBe(7);
  failure = null;
  reachability.set(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toBe(8);
  await vi.advanceTimersByTimeAsync(120_000);
  expect(sent).toBe(8);
});

test('waits as long as the server asks, whatever happens', async () => {
  failure = new CallError('Busy', 503, 'busy', { retryAfter: 40 });
  await failTimes(1);
  reachability.set(false);
  reachability.set(true);
  await vi.advanceTimersByTimeAsync(39_000);
  expect(sent).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toBe(2);
});
