import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOpenSessions } from '../../api/platform/events/open-sessions.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a device is gone when its last stream has closed and no other came in time', () => {
  const gone: string[] = [];
  const devices = createOpenSessions((id) => gone.push(id), 3_000);
  const closeFirst = devices.opened('phone');
  const closeSecond = devices.opened('phone');
  devices.opened('tablet');
  closeFirst();
  vi.advanceTimersByTime(10_000);
  closeSecond();
  vi.advanceTimersByTime(2_000);
  const closeThird = devices.opened('phone');
  vi.advanceTimersByTime(10_000);
  expect(gone).toEqual([]);
  closeThird();
  vi.advanceTimersByTime(3_000);
  expect(gone).toEqual(['phone']);
});

test('no device is gone because this server closes', () => {
  const gone: string[] = [];
  const devices = createOpenSessions((id) => gone.push(id), 3_000);
  devices.opened('phone')();
  const closeTablet = devices.opened('tablet');
  devices.close();
  closeTablet();
  vi.advanceTimersByTime(10_000);
  expect(gone).toEqual([]);
});
