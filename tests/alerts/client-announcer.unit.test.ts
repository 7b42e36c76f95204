import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EmergencyAlert, Severity } from '#shared/alerts/contract.ts';
import { AlertAnnouncer } from '../../client/alerts/announcer.ts';
import { deviceClock } from '../../client/proximity/tracking/clock.ts';

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

let deeds: unknown[][] = [];
let announced = new Set<string>();
beforeEach(() => {
  vi.useFakeTimers();
  deeds = [];
  announced = new Set();
});
afterEach(() => void vi.useRealTimers());

function announcer({ isFull = false } = {}) {
  const began = Date.now();
  const did = (...deed: unknown[]) => deeds.push([Date.now() - began, ...deed]);
  return new AlertAnnouncer(
    {
      vibrate: (pattern) => did('vibrate', pattern.join()),
      sound: () => did('sound'),
      notify: ({ title, body, tag, urgent }) => {
        did('notify', title, body, urgent);
        return () => did('take away', tag);
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
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

test('severe alerts vibrate twice 1 s apart, sound, and notify to stay, 500 ms after one another', async () => {
  announcer().hear([alert('a', 'extreme'), alert('b', 'severe'), alert('c', 'severe')]);
  await pass(5000);
  expect(deeds).toEqual([
    [0, 'vibrate', '200,100,200'],
    [0, 'sound'],
    [0, 'notify', 'Storm a', 'Go inside.', true],
    [500, 'notify', 'Storm b', 'Wind.', true],
    [1000, 'vibrate', '200,100,200'],
    [1000, 'notify', 'Storm c', 'Wind.', true],
  ]);
});

test('one other new alert is a short vibration and a notification of its own', async () => {
  announcer().hear([alert('a', 'moderate')]);
  await pass(5000);
  expect(deeds).toEqual([
    [0, 'vibrate', '200'],
    [0, 'notify', 'Storm a', 'Wind.', false],
  ]);
});

test('several other new alerts are one notification', async () => {
  announcer().hear([alert('a', 'moderate'), alert('b', 'minor'), alert('c', 'minor')]);
  await pass(5000);
  expect(deeds).toEqual([
    [0, 'vibrate', '200'],
    [0, 'notify', '3 new alerts in your area', 'Storm a, Storm b, Storm c', false],
  ]);
});

test('an alert is announced once, by whichever tab, and again when it became graver', async () => {
  const one = announcer();
  one.hear([alert('a', 'minor')]);
  one.hear([alert('a', 'minor')]);
  announcer().hear([alert('a', 'minor')]);
  expect(deeds.filter(([, what]) => what === 'notify')).toHaveLength(1);
  one.hear([alert('a', 'severe')]);
  await pass(2000);
  expect(deeds.filter(([, what]) => what === 'sound')).toHaveLength(1);
});

test('a device that can remember nothing more is told once all the same', async () => {
  const one = announcer({ isFull: true });
  one.hear([alert('a', 'severe')]);
  one.hear([alert('a', 'severe')]);
  await pass(5000);
  expect(deeds.filter(([, what]) => what === 'sound')).toHaveLength(1);
});

test('a notification goes when its alert is over or acknowledged', async () => {
  const one = announcer();
  one.hear([alert('a', 'severe'), alert('b', 'severe')]);
  await pass(2000);
  one.hear([alert('b', 'severe')]);
  expect(deeds.at(-1)).toEqual([2000, 'take away', 'alert:a']);
});

test('closed, it announces nothing more', async () => {
  const one = announcer();
  one.hear([alert('a', 'severe'), alert('b', 'severe')]);
  await pass(0);
  one.close();
  const before = deeds.length;
  await pass(5000);
  expect(deeds).toHaveLength(before);
});
