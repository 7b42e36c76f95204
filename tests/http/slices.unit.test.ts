import { expect, test } from 'vitest';
import { createSlices } from '../../api/platform/http/slices.ts';

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

test('a request that comes alone begins at once', async () => {
  const begin = createSlices();
  for (let i = 0; i < 3; i++) {
    let hasBegun = false;
    begin(() => (hasBegun = true));
    expect(hasBegun).toBe(true);
    await new Promise((resolve) => setTimeout(resolve));
  }
});
