// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getNotificationState, notify } from '../../client/proximity/notifications.ts';
import { watchPosition } from '../../client/proximity/position.ts';

const notice = { title: 'Bella is friendly', body: 'Sam is near.', tag: 't', urgent: false };
let shown: { title: string; options: NotificationOptions; isOpen: boolean }[] = [];

function browserThatSaid(permission: NotificationPermission) {
  class FakeNotification {
    static readonly permission = permission;
    onclick = () => {};
    readonly #entry: (typeof shown)[number];
    constructor(title: string, options: NotificationOptions) {
      this.#entry = { title, options, isOpen: true };
      shown.push(this.#entry);
    }
    close() {
      this.#entry.isOpen = false;
    }
  }
  vi.stubGlobal('Notification', FakeNotification);
}

beforeEach(() => {
  shown = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('positions are asked for with high accuracy, within 10 s, and none older than 30 s', () => {
  const asked: unknown[] = [];
  vi.stubGlobal('navigator', {
    geolocation: {
      watchPosition: (_found: unknown, _failed: unknown, options: unknown) => asked.push(options),
      clearWatch: () => {},
    },
  });
  const watch = watchPosition({ fix: () => {}, trouble: () => {} });
  expect(asked).toEqual([{ enableHighAccuracy: true, timeout: 10_000, maximumAge: 30_000 }]);
  watch.stop();
});

test('a notification closes after 5 s, unless it is urgent and requires interaction', () => {
  browserThatSaid('granted');
  notify(notice);
  notify({ ...notice, title: 'HIGH: Rex needs space', urgent: true });
  expect(shown.map(({ options }) => options.requireInteraction)).toEqual([false, true]);
  vi.advanceTimersByTime(4_999);
  expect(shown.map(({ isOpen }) => isOpen)).toEqual([true, true]);
  vi.advanceTimersByTime(1);
  expect(shown.map(({ isOpen }) => isOpen)).toEqual([false, true]);
});

test.each(['default', 'denied'] as const)(
  'where permission is %s a notification is skipped with a console warning',
  (said) => {
    browserThatSaid(said);
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    expect(getNotificationState()).toBe(said);
    notify(notice);
    expect(shown).toEqual([]);
    expect(warn).toHaveBeenCalledWith('Notification skipped: permission is not granted');
  },
);
