import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Metrics } from '#shared/server/metrics.ts';
import { createJobs } from '../../api/platform/background-jobs.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const TEN_MINUTES = 10 * 60_000;

/** A lease that the test gives and takes. */
function lease(isHeld = true) {
  let acquired = () => {};
  let requested: (job: string) => void = () => {};
  return {
    isHeld: () => isHeld,
    request: vi.fn<(job: string) => void>(),
    listen(onAcquire: () => void, onRequest: (job: string) => void) {
      acquired = onAcquire;
      requested = onRequest;
    },
    give() {
      isHeld = true;
      acquired();
    },
    take() {
      isHeld = false;
    },
    receive: (job: string) => requested(job),
  };
}

test('does not start a background job that is still running, and repeats a failed one', async () => {
  const warn = vi.fn<(facts: object, words: string) => void>();
  const closing: (() => void)[] = [];
  const { registerJob } = createJobs(
    { warn } as never,
    lease(),
    (run) => closing.push(run),
    new Metrics('test'),
  );
  const end: { resolve: () => void; reject: (error: Error) => void }[] = [];
  registerJob('slow', () => new Promise<void>((resolve, reject) => end.push({ resolve, reject })));
  await vi.advanceTimersByTimeAsync(2 * TEN_MINUTES);
  expect(end).toHaveLength(1);
  expect(warn).toHaveBeenCalledWith({ job: 'slow' }, 'the previous run is still in progress');
  end[0]?.reject(new Error('no database'));
  await vi.advanceTimersByTimeAsync(TEN_MINUTES);
  expect(end).toHaveLength(2);
  end[1]?.resolve();
  for (const close of closing) close();
  await vi.advanceTimersByTimeAsync(TEN_MINUTES);
  expect(end).toHaveLength(2);
});

test('retries a requested or failed background job with delays that double', async () => {
  const closing: (() => void)[] = [];
  const { registerJob, runJobSoon } = createJobs(
    { warn() {} } as never,
    lease(),
    (run) => closing.push(run),
    new Metrics('test'),
  );
  const run = vi.fn<() => Promise<void>>(async () => {});
  registerJob('pairs', run);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(run).toHaveBeenCalledTimes(1);
  run.mockRejectedValue(new Error('the sync server is away'));
  runJobSoon('pairs');
  runJobSoon('pairs');
  await vi.advanceTimersByTimeAsync(1_000 + 2_000 + 4_000);
  expect(run).toHaveBeenCalledTimes(4);
  run.mockResolvedValue();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(run).toHaveBeenCalledTimes(5);
  run.mockRejectedValue(new Error('the database is away'));
  runJobSoon('pairs');
  for (const close of closing) close();
  await vi.advanceTimersByTimeAsync(TEN_MINUTES);
  expect(run).toHaveBeenCalledTimes(5);
});

test('runs jobs only while the node has the lease, except those on its own memory', async () => {
  const closing: (() => void)[] = [];
  const node = lease(false);
  const { registerJob, runJobSoon, isJobNode } = createJobs(
    { warn() {} } as never,
    node,
    (run) => closing.push(run),
    new Metrics('test'),
  );
  const shared = vi.fn<(isFirst: boolean) => Promise<void>>(async () => {});
  const own = vi.fn<() => Promise<void>>(async () => {});
  registerJob('shared', shared, { everyMs: 1_000 });
  registerJob('own', own, { everyMs: 1_000, onEveryNode: true });
  await vi.advanceTimersByTimeAsync(5_000);
  expect([shared.mock.calls.length, own.mock.calls.length]).toEqual([0, 6]);
  runJobSoon('shared');
  expect(node.request.mock.calls).toEqual([['shared']]);
  expect(isJobNode()).toBe(false);

  node.give();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(isJobNode()).toBe(true);
  expect(shared.mock.calls).toEqual([[true], [false], [false]]);
  node.take();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(shared).toHaveBeenCalledTimes(3);
  // Another node may have left something undone in between.
  node.give();
  await vi.advanceTimersByTimeAsync(0);
  expect(shared.mock.lastCall).toEqual([true]);
  for (const close of closing) close();
});

test('runs a job that another node requested', async () => {
  const closing: (() => void)[] = [];
  const node = lease();
  const { registerJob } = createJobs(
    { warn() {} } as never,
    node,
    (run) => closing.push(run),
    new Metrics('test'),
  );
  const run = vi.fn<() => Promise<void>>(async () => {});
  registerJob('pairs', run);
  await vi.advanceTimersByTimeAsync(5_000);
  node.receive('pairs');
  node.receive('a job of a newer version');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(run).toHaveBeenCalledTimes(2);
  for (const close of closing) close();
});

test('running all background jobs waits for one that is running, and for the next run of each', async () => {
  const closing: (() => void)[] = [];
  const { registerJob, runAllJobs } = createJobs(
    { warn() {} } as never,
    lease(),
    (run) => closing.push(run),
    new Metrics('test'),
  );
  const ends: (() => void)[] = [];
  const firsts: boolean[] = [];
  registerJob('slow', (isFirst) => {
    firsts.push(isFirst);
    return new Promise<void>((resolve) => ends.push(resolve));
  });
  let isDone = false;
  const all = runAllJobs().then(() => (isDone = true));
  await vi.advanceTimersByTimeAsync(1);
  expect([ends.length, isDone]).toEqual([1, false]);
  ends[0]?.();
  await vi.advanceTimersByTimeAsync(1);
  expect([ends.length, isDone]).toEqual([2, false]);
  ends[1]?.();
  await all;
  expect(firsts).toEqual([true, true]);
  for (const close of closing) close();
});
