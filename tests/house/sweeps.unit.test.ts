import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sweeps } from '../../api/sweeps.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const TEN_MINUTES = 10 * 60_000;

test('a sweep that is not over is not begun again, and one that failed is', async () => {
  const warn = vi.fn<(facts: object, words: string) => void>();
  const closing: (() => void)[] = [];
  const sweep = sweeps({ warn } as never, (run) => closing.push(run));
  const end: { resolve: () => void; reject: (error: Error) => void }[] = [];
  sweep('slow', () => new Promise<void>((resolve, reject) => end.push({ resolve, reject })));
  await vi.advanceTimersByTimeAsync(2 * TEN_MINUTES);
  expect(end).toHaveLength(1);
  expect(warn).toHaveBeenCalledWith({ sweep: 'slow' }, 'the sweep before is not over');
  end[0]?.reject(new Error('no database'));
  await vi.advanceTimersByTimeAsync(TEN_MINUTES);
  expect(end).toHaveLength(2);
  end[1]?.resolve();
  for (const close of closing) close();
  await vi.advanceTimersByTimeAsync(TEN_MINUTES);
  expect(end).toHaveLength(2);
});
