import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cacheSlowResult } from '../../api/platform/admin/adaptive-cache.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Returns a cached counter that takes `ms` to compute. */
function slowCounter(ms: number) {
  let count = 0;
  return cacheSlowResult(async () => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return (count += 1);
  });
}

test('computes a fast result again each time', async () => {
  const find = slowCounter(10);
  for (const expected of [1, 2]) {
    const found = find();
    await vi.advanceTimersByTimeAsync(10);
    expect(await found).toBe(expected);
  }
});

test('caches a slow result for 20 times its duration and shares one pending call', async () => {
  const find = slowCounter(1_000);
  const both = Promise.all([find(), find()]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await both).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(19_000);
  expect(await find()).toBe(1);
  await vi.advanceTimersByTimeAsync(1_001);
  const afterExpiry = find();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await afterExpiry).toBe(2);
});

test('retries after a failure instead of caching it', async () => {
  let isDown = true;
  const find = cacheSlowResult(async () => {
    if (isDown) throw new Error('down');
    return 'up';
  });
  await expect(find()).rejects.toThrow('down');
  isDown = false;
  expect(await find()).toBe('up');
});
