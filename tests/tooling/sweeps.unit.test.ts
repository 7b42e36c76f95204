import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSweeps } from '../../api/background-jobs.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const TEN_MINUTES = 10 * 60_000;

test('does not start a sweep that is still running, and repeats a failed one', async () => {
  const warn = vi.fn<(facts: object, words: string) => void>();
  const closing: (() => void)[] = [];
  const { sweep } = createSweeps({ warn } as never, (run) => closing.push(run));
  const end: { resolve: () => void; reject: (error: Error) => void }[] = [];
  sweep('slow', () => new Promise<void>((resolve, reject) => end.push({ resolve, reject })));
  await vi.advanceTimersByTimeAsync(2 * TEN_MINUTES);
  expect(end).toHaveLength(1);
  expect(warn).toHaveBeenCalledWith({ sweep: 'slow' }, 'the previous run is still in progress');
  end[0]?.reject(new Error('no database'));
  await vi.advanceTimersByTimeAsync(TEN_MINUTES);
  expect(end).toHaveLength(2);
  end[1]?.resolve();
  for (const close of closing) close();
  await vi.advanceTimersByTimeAsync(TEN_MINUTES);
  expect(end).toHaveLength(2);
});

test('retries a requested or failed sweep with delays that double', async () => {
  const closing: (() => void)[] = [];
  const { sweep, sweepSoon } = createSweeps({ warn() {} } as never, (run) => closing.push(run));
  const run = vi.fn<() => Promise<void>>(async () => {});
  sweep('pairs', run);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(run).toHaveBeenCalledTimes(1);
  run.mockRejectedValue(new Error('the sync server is away'));
  sweepSoon('pairs');
  sweepSoon('pairs');
  await vi.advanceTimersByTimeAsync(1_000 + 2_000 + 4_000);
  expect(run).toHaveBeenCalledTimes(4);
  run.mockResolvedValue();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(run).toHaveBeenCalledTimes(5);
  run.mockRejectedValue(new Error('the database is away'));
  sweepSoon('pairs');
  for (const close of closing) close();
  await vi.advanceTimersByTimeAsync(TEN_MINUTES);
  expect(run).toHaveBeenCalledTimes(5);
});
