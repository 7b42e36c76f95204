// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { oneTabAtATime } from '../../../client/platform/sync/tabs/tab-coordination.ts';
import { FakeLocks } from './fake-locks.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  vi.stubGlobal('navigator', { locks: new FakeLocks() });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Lets timers and then messages between tabs arrive, which fake timers don't delay. */
async function pass(seconds: number) {
  for (let at = 0; at < seconds; at++) {
    await vi.advanceTimersByTimeAsync(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('a tab waits for one that is awake as long as it works', async () => {
  const done: string[] = [];
  let end = () => {};
  const one = oneTabAtATime('photos', () => new Promise((resolve) => (end = resolve)));
  const two = oneTabAtATime('photos', async () => void done.push('two'));
  await pass(120);
  expect(done).toEqual([]);
  end();
  await Promise.all([one, two]);
  expect(done).toEqual(['two']);
});

test('a visible tab does not wait for one that the system suspended', async () => {
  const done: string[] = [];
  // It holds the lock and answers nobody.
  void navigator.locks.request('photos', () => new Promise(() => {}));
  const two = oneTabAtATime('photos', async () => void done.push('two'));
  await pass(34);
  expect(done).toEqual([]);
  await pass(2);
  await two;
  expect(done).toEqual(['two']);
});

test('a hidden tab waits', async () => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  const done: string[] = [];
  void navigator.locks.request('photos', () => new Promise(() => {}));
  void oneTabAtATime('photos', async () => void done.push('two'));
  await pass(120);
  expect(done).toEqual([]);
});
