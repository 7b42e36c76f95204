import { expect, onTestFinished, test, vi } from 'vitest';
import { LoadTurns } from '../../../sync-server/core/documents/load-turns.ts';

/** Work takes no time but that which it counts. */
function stopClock(): (ms: number) => void {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  return (ms) => {
    now += ms;
  };
}

/** Loads documents of users; notes the order. */
function loads() {
  const pass = stopClock();
  const turns = new LoadTurns();
  const order: string[] = [];
  const load = (userId: string, ms: number) =>
    turns.run(userId, () => {
      order.push(userId);
      pass(ms);
      return userId;
    });
  return { turns, order, load };
}

test('a user who loads one small document waits for at most one of each other user', async () => {
  const { order, load } = loads();
  const heavy = Array.from({ length: 40 }, () => load('heavy', 100));
  const other = Array.from({ length: 40 }, () => load('other', 50));
  await heavy[0];
  await load('small', 1);
  expect(order.slice(0, order.indexOf('small')).filter((each) => each === 'heavy')).toHaveLength(1);
  await Promise.all([...heavy, ...other]);
  // By their cost: while both wait, one has two turns for each of the other.
  const both = order.slice(0, 60);
  expect(both.filter((each) => each === 'heavy').length).toBeLessThanOrEqual(21);
});

test('who comes later begins with the others, and has no credit of the time before', async () => {
  const { order, load } = loads();
  const first = Array.from({ length: 20 }, () => load('first', 10));
  await first[9];
  const late = Array.from({ length: 20 }, () => load('late', 10));
  await Promise.all([...first, ...late]);
  const after = order.slice(10, 20);
  expect(after.filter((each) => each === 'late').length).toBeLessThanOrEqual(6);
});

test('messages are handled between heavy documents, and small ones are loaded together', async () => {
  const { order, load } = loads();
  const between: number[] = [];
  const all = Promise.all(Array.from({ length: 5 }, () => load('heavy', 100)));
  const look = () => {
    between.push(order.length);
    if (order.length < 5) setImmediate(look);
  };
  setImmediate(look);
  await all;
  expect(between.filter((loaded, i) => i > 0 && loaded > between[i - 1]! + 1)).toEqual([]);
  order.length = 0;
  await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((userId) => load(userId, 0.5)));
  expect(order).toHaveLength(8);
});

test('a failure belongs to the one who waits for it', async () => {
  const { turns, load } = loads();
  const failing = turns.run('a', () => {
    throw new Error('damaged');
  });
  const others = [load('a', 1), load('b', 1)];
  await expect(failing).rejects.toThrow('damaged');
  expect(await Promise.all(others)).toEqual(['a', 'b']);
});
