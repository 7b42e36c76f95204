import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  OFF,
  type ProximityState,
} from '../../../client/features/proximity/monitor/proximity-state.ts';
import { Watchdog } from '../../../client/features/proximity/monitor/watchdog.ts';
import { deviceClock } from '../../../client/features/proximity/tracking/tracker.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watch(before: Partial<ProximityState> = {}) {
  const said: string[] = [];
  const open = new Set<string>();
  const dog = new Watchdog(
    {
      speak: async (_, text) => said.push(text),
      vibrate: (pattern) => said.push(`vibrate ${pattern.join()}`),
      notify: ({ title, body }) => {
        open.add(`${title}: ${body}`);
        return () => open.clear();
      },
    },
    deviceClock,
    { ...OFF, ...before },
    () => said.push('announced'),
  );
  return { dog, said, open };
}

test('says once that warnings have stopped when the server no longer has the position', () => {
  const { dog, said, open } = watch();
  dog.update('active');
  dog.update('offline');
  vi.advanceTimersByTime(119_999);
  dog.update('lost');
  expect(said).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(said).toEqual([
    'vibrate 400,200,400',
    'Warnings have stopped. Paused: no position.',
    'announced',
  ]);
  expect([...open]).toEqual(['Warnings have stopped: Paused: no position']);
  vi.advanceTimersByTime(600_000);
  dog.update('offline');
  expect(said).toHaveLength(3);
  dog.update('active');
  expect([...open]).toEqual([]);
});

test('stays silent about short problems, quiet places and warnings that never worked', () => {
  const { dog, said } = watch();
  dog.update('denied');
  vi.advanceTimersByTime(600_000);
  dog.update('active');
  dog.update('offline');
  vi.advanceTimersByTime(100_000);
  dog.update('active');
  dog.update('quiet');
  vi.advanceTimersByTime(600_000);
  dog.update('active');
  dog.update('failing');
  dog.close();
  vi.advanceTimersByTime(600_000);
  expect(said).toEqual([]);
});

test('says that warnings have stopped unless another tab takes over', async () => {
  const stopped = 'Warnings have stopped. Open Leashwise to see why.';
  const { dog, said, open } = watch();
  dog.update('active');
  dog.leave(async () => true);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(said).toEqual([]);
  dog.leave(async () => false);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(said).toEqual(['vibrate 400,200,400', stopped]);
  expect([...open]).toEqual(['Warnings have stopped: Open Leashwise to see why']);

  const never = watch();
  never.dog.update('starting');
  never.dog.leave(async () => false);
  const takenOver = watch({ status: 'active' });
  takenOver.dog.update('starting');
  takenOver.dog.leave(async () => false);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(never.said).toEqual([]);
  expect(takenOver.said).toContain(stopped);
});

test('continues after a takeover: announces what is pending and does not repeat announcements', () => {
  const first = watch();
  first.dog.update('active');
  expect(first.dog.stopped).toBe(null);
  first.dog.update('offline');
  vi.advanceTimersByTime(90_000);
  const second = watch({ status: 'offline', stopped: first.dog.stopped });
  first.dog.close();
  second.dog.update('starting');
  vi.advanceTimersByTime(10_000);
  second.dog.update('offline');
  vi.advanceTimersByTime(19_999);
  expect(second.said).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(second.said).toEqual([
    'vibrate 400,200,400',
    'Warnings have stopped. Paused: no connection.',
    'announced',
  ]);
  const third = watch({ status: 'offline', stopped: second.dog.stopped });
  third.dog.update('lost');
  vi.advanceTimersByTime(600_000);
  expect([third.said, [...third.open]]).toEqual([
    [],
    ['Warnings have stopped: Paused: no position'],
  ]);
  third.dog.update('active');
  expect([third.dog.stopped, [...third.open]]).toEqual([null, []]);
});
