import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cacheSlowResult } from '../../api/admin/adaptive-cache.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Figures that take so long to find. */
function figures(ms: number) {
  let count = 0;
  return cacheSlowResult(async () => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return (count += 1);
  });
}

test('figures that are found at once are found anew each time', async () => {
  const find = figures(10);
  for (const expected of [1, 2]) {
    const found = find();
    await vi.advanceTimersByTimeAsync(10);
    expect(await found).toBe(expected);
  }
});

test('slow ones are given again for twenty times as long as they took, and found once for all who wait', async () => {
  const find = figures(1_000);
  const both = Promise.all([find(), find()]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await both).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(19_000);
  expect(await find()).toBe(1);
  await vi.advanceTimersByTimeAsync(1_001);
  const anew = find();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await anew).toBe(2);
});

test('what failed is tried again by whoever comes next', async () => {
  let isDown = true;
  const find = cacheSlowResult(async () => {
    if (isDown) throw new Error('down');
    return 'up';
  });
  await expect(find()).rejects.toThrow('down');
  isDown = false;
  expect(await find()).toBe('up');
});
