import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { BatchPace, batchCalls } from '#shared/server/batches.ts';
import { createSlices } from '../../api/platform/http/slices.ts';

describe('the pace of batches', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function run(pace: BatchPace, tookMs: number) {
    pace.started();
    vi.advanceTimersByTime(tookMs);
    pace.ended();
  }

  test('the first batch and one after a quiet moment start at once', () => {
    const pace = new BatchPace(10);
    expect(pace.pauseMs).toBe(0);
    run(pace, 1);
    vi.advanceTimersByTime(9);
    expect(pace.pauseMs).toBe(0);
  });

  test.each([
    ['a short batch', 1, 9],
    ['a batch that took long', 10, 20],
    ['a batch that took very long', 40, 10],
    ['a batch that took longer than the longest interval', 60, 0],
  ])('after %s, %d ms, the next one starts %d ms after its end', (_, tookMs, pauseMs) => {
    const pace = new BatchPace(10);
    run(pace, tookMs);
    expect(pace.pauseMs).toBe(pauseMs);
  });

  test('a short batch after long ones shortens the interval again', () => {
    const pace = new BatchPace(10);
    run(pace, 40);
    run(pace, 2);
    expect(pace.pauseMs).toBe(8);
  });
});

describe('calls in batches', () => {
  test('calls during a round trip go together in the next one', async () => {
    const batches: number[][] = [];
    const call = batchCalls(async (items: number[]) => {
      batches.push(items);
      await wait(5);
      return batches.length;
    });
    const first = call(1);
    await wait(1);
    expect(await Promise.all([first, call(2), call(3)])).toEqual([1, 2, 2]);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  test('a round trip that hangs holds up later ones only where their order matters', async () => {
    const hanging = (holdsUpMs: number) =>
      batchCalls(
        (items: string[]) =>
          items.includes('hangs') ? new Promise<string>(() => {}) : Promise.resolve('answered'),
        { holdsUpMs },
      );
    const outcomeAfterHang = async (holdsUpMs: number) => {
      const call = hanging(holdsUpMs);
      void call('hangs');
      await wait(1);
      return Promise.race([call('next'), wait(30, 'waits')]);
    };
    expect(await outcomeAfterHang(0)).toBe('answered');
    expect(await outcomeAfterHang(10)).toBe('answered');
    expect(await outcomeAfterHang(Infinity)).toBe('waits');
  });

  test('a round trip that fails fails its own calls alone', async () => {
    const call = batchCalls((items: string[]) =>
      items.includes('bad') ? Promise.reject(new Error('refused')) : Promise.resolve('answered'),
    );
    const bad = call('bad');
    await expect(bad).rejects.toThrow('refused');
    expect(await call('good')).toBe('answered');
  });
});

const work = (ms: number) => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

test('requests that all arrive at once begin in order, and others get turns between them', async () => {
  const begin = createSlices();
  const order: (number | 'timer')[] = [];
  const numbers = Array.from({ length: 100 }, (_, i) => i);
  const done = new Promise<void>((resolve) => {
    setTimeout(() => order.push('timer'));
    for (const number of numbers)
      begin(() => {
        work(2);
        order.push(number);
        if (number === numbers.length - 1) resolve();
      });
  });
  await done;
  expect(order.filter((each) => each !== 'timer')).toEqual(numbers);
  expect(order.indexOf('timer')).toBeGreaterThan(0);
  expect(order.indexOf('timer')).toBeLessThan(order.length - 1);
});

test('an urgent request, such as a health check, begins at once while others wait', async () => {
  const begin = createSlices();
  const order: string[] = [];
  begin(() => work(20));
  const done = new Promise<void>((resolve) => {
    begin(() => {
      order.push('request');
      resolve();
    });
  });
  begin(() => order.push('health check'), true);
  await done;
  expect(order).toEqual(['health check', 'request']);
});

test('a request that comes alone begins at once', async () => {
  const begin = createSlices();
  for (let i = 0; i < 3; i++) {
    let hasBegun = false;
    begin(() => (hasBegun = true));
    expect(hasBegun).toBe(true);
    await new Promise((resolve) => setTimeout(resolve));
  }
});
