// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RetryTimer } from '../../../client/platform/http/retry.ts';

let runs: number;
let timer: RetryTimer;
beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(1);
  runs = 0;
  timer = new RetryTimer(() => (runs += 1));
});
afterEach(() => {
  timer.stop();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const show = (state: DocumentVisibilityState) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
};

test('doubles the delay after each failure, up to a minute', () => {
  const waits: number[] = [];
  for (let failure = 0; failure < 9; failure++) {
    const before = Date.now();
    timer.failed();
    vi.advanceTimersToNextTimer();
    waits.push((Date.now() - before) / 1_000);
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  expect(runs).toBe(9);
});

test('runs once at once when the network is back', () => {
  timer.failed();
  window.dispatchEvent(new Event('online'));
  window.dispatchEvent(new Event('online'));
  vi.advanceTimersByTime(120_000);
  expect(runs).toBe(1);
});

test('runs at once when the app becomes visible, not when it is hidden', () => {
  timer.failed();
  show('hidden');
  expect(runs).toBe(0);
  show('visible');
  expect(runs).toBe(1);
});

test('does not run after it is stopped', () => {
  timer.failed();
  timer.stop();
  show('visible');
  window.dispatchEvent(new Event('online'));
  vi.advanceTimersByTime(120_000);
  expect(runs).toBe(0);
});
