import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EmergencyAlert, Severity } from '#shared/alerts/contract.ts';
import { AlertAnnouncer } from '../../client/features/alerts/alert-announcer.ts';
import { deviceClock } from '../../client/features/proximity/tracking/tracker.ts';

const alert = (id: string, severity: Severity): EmergencyAlert => ({
  id,
  alert_id: id,
  user_id: 'ann',
  alert_type: 'weather',
  severity,
  title: `Storm ${id}`,
  description: 'Wind.',
  instructions: severity === 'extreme' ? 'Go inside.' : null,
  affected_latitude: 0,
  affected_longitude: 0,
  radius_miles: 10,
  starts_at: '2026-11-21T12:00:00Z',
  expires_at: null,
  is_active: true,
  is_acknowledged: false,
  acknowledged_at: null,
});

let effects: unknown[][] = [];
let announced = new Set<string>();
beforeEach(() => {
  vi.useFakeTimers();
  effects = [];
  announced = new Set();
});
afterEach(() => void vi.useRealTimers());

function announcer({ isFull = false } = {}) {
  const began = Date.now();
  const record = (...effect: unknown[]) => effects.push([Date.now() - began, ...effect]);
  return new AlertAnnouncer(
    {
      vibrate: (pattern) => record('vibrate', pattern.join()),
      sound: () => record('sound'),
      notify: ({ title, body, tag, urgent }) => {
        record('notify', title, body, urgent);
        return () => record('take away', tag);
      },
    },
    deviceClock,
    {
      has: (key) => announced.has(key),
      add: (keys) => {
        if (!isFull) for (const key of keys) announced.add(key);
      },
    },
  );
}
const advance = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

test('severe alerts vibrate twice, sound, and show persistent notifications 500 ms apart', async () => {
  announcer().update([alert('a', 'extreme'), alert('b', 'severe'), alert('c', 'severe')]);
  await advance(5000);
  expect(effects).toEqual([
    [0, 'vibrate', '200,100,200'],
    [0, 'sound'],
    [0, 'notify', 'Storm a', 'Go inside.', true],
    [500, 'notify', 'Storm b', 'Wind.', true],
    [1000, 'vibrate', '200,100,200'],
    [1000, 'notify', 'Storm c', 'Wind.', true],
  ]);
});

test('a single other alert vibrates briefly and shows its own notification', async () => {
  announcer().update([alert('a', 'moderate')]);
  await advance(5000);
  expect(effects).toEqual([
    [0, 'vibrate', '200'],
    [0, 'notify', 'Storm a', 'Wind.', false],
  ]);
});

test('several other alerts share one notification', async () => {
  announcer().update([alert('a', 'moderate'), alert('b', 'minor'), alert('c', 'minor')]);
  await advance(5000);
  expect(effects).toEqual([
    [0, 'vibrate', '200'],
    [0, 'notify', '3 new alerts in your area', 'Storm a, Storm b, Storm c', false],
  ]);
});

test('announces an alert once across tabs, and again when its severity rises', async () => {
  const one = announcer();
  one.update([alert('a', 'minor')]);
  one.update([alert('a', 'minor')]);
  announcer().update([alert('a', 'minor')]);
  expect(effects.filter(([, what]) => what === 'notify')).toHaveLength(1);
  one.update([alert('a', 'severe')]);
  await advance(2000);
  expect(effects.filter(([, what]) => what === 'sound')).toHaveLength(1);
});

test('announces an alert once even when storage is full', async () => {
  const one = announcer({ isFull: true });
  one.update([alert('a', 'severe')]);
  one.update([alert('a', 'severe')]);
  await advance(5000);
  expect(effects.filter(([, what]) => what === 'sound')).toHaveLength(1);
});

test('closes a notification when its alert ends or is acknowledged', async () => {
  const one = announcer();
  one.update([alert('a', 'severe'), alert('b', 'severe')]);
  await advance(2000);
  one.update([alert('b', 'severe')]);
  expect(effects.at(-1)).toEqual([2000, 'take away', 'alert:a']);
});

test('announces nothing after it is closed', async () => {
  const one = announcer();
  one.update([alert('a', 'severe'), alert('b', 'severe')]);
  await advance(0);
  one.close();
  const before = effects.length;
  await advance(5000);
  expect(effects).toHaveLength(before);
});
