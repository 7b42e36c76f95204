// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { positionReport } from '#shared/proximity/contract.ts';
import { USUAL_SETTINGS } from '#shared/settings/document.ts';
import { deviceOutputs } from '../../../client/features/proximity/output/alert-outputs.ts';
import { keepScreenOn } from '../../../client/features/proximity/output/keep-screen-on.ts';
import {
  getNotificationState,
  notify,
} from '../../../client/features/proximity/output/notifications.ts';
import { watchPosition } from '../../../client/features/proximity/tracking/watch-position.ts';
import { PATTERNS, vibrate } from '../../../client/platform/vibration.ts';

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

test('watches positions with high accuracy, a timeout of 10 s and a maximum age of 30 s', () => {
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

describe('dating of a position with the device clock', () => {
  /** Simulates a walk with a position per second. @param ahead milliseconds by which the device clock is ahead of the satellites */
  function walk(ahead: () => number) {
    let found: PositionCallback = () => {};
    vi.stubGlobal('navigator', {
      geolocation: {
        watchPosition: (callback: PositionCallback) => {
          found = callback;
          return 1;
        },
        clearWatch: () => {},
      },
    });
    const ages: number[] = [];
    const watch = watchPosition({
      fix: ({ at }) => ages.push(Date.now() - at),
      trouble: () => {},
    });
    return {
      ages,
      watch,
      emit(age = 0) {
        const coords = { latitude: 1, longitude: 2, accuracy: 5, speed: 1.4, heading: 90 };
        const timestamp = Date.now() - ahead() - age;
        found({ coords, timestamp } as GeolocationPosition);
        vi.advanceTimersByTime(1000);
      },
    };
  }

  test.each([
    ['five minutes ahead', 300_000],
    ['five minutes behind', -300_000],
    ['25 s ahead', 25_000],
  ])('dates positions correctly when the device clock is %s of the satellites', (_, ahead) => {
    const { ages, watch, emit } = walk(() => ahead);
    for (let second = 0; second < 10; second++) emit();
    expect(ages.slice(3)).toEqual(ages.slice(3).map(() => 0));
    watch.stop();
  });

  test('dates positions correctly after the device clock is corrected', () => {
    let ahead = 0;
    const { ages, watch, emit } = walk(() => ahead);
    for (ahead of [0, 0, 0, 3_600_000, 3_600_000, 3_600_000, 0, 0, 0]) emit();
    expect(ages.slice(0, 3)).toEqual([0, 0, 0]);
    expect([ages[5], ages[8]]).toEqual([0, 0]);
    watch.stop();
  });

  test('dates a cached position with its real age', () => {
    const { ages, watch, emit } = walk(() => 0);
    emit(20_000);
    emit();
    emit();
    expect(ages).toEqual([20_000, 0, 0]);
    watch.stop();
  });
});

test('takes what a device doesn’t know, and states as -1 or NaN, for unknown', () => {
  let found: PositionCallback = () => {};
  const geolocation = {
    watchPosition: (callback: PositionCallback) => {
      found = callback;
      return 1;
    },
    clearWatch: () => {},
  };
  vi.stubGlobal('navigator', { geolocation });
  const fixes: object[] = [];
  const watch = watchPosition({ fix: (fix) => fixes.push(fix), trouble: () => {} });
  const coords = { latitude: 1, longitude: 2, accuracy: -1, speed: -1, heading: NaN };
  found({ coords, timestamp: Date.now() } as GeolocationPosition);
  const unknown = { accuracy: null, speed: null, heading: null };
  expect(fixes).toEqual([expect.objectContaining(unknown)]);
  watch.stop();
  // Apps of earlier releases send it.
  const place = { latitude: 1, longitude: 2 };
  expect(positionReport.parse({ ...place, accuracy: -1, speed: -1, heading: -1 })).toEqual({
    ...place,
    ...unknown,
  });
});

test('reports a screen lock that the system released and requests it again', async () => {
  const locks: EventTarget[] = [];
  vi.stubGlobal('navigator', {
    wakeLock: {
      request: async () => {
        const lock = Object.assign(new EventTarget(), { released: false, release: async () => {} });
        locks.push(lock);
        return lock;
      },
    },
  });
  const states: string[] = [];
  const stop = keepScreenOn((state) => states.push(state));
  await vi.advanceTimersByTimeAsync(0);
  Object.assign(locks[0]!, { released: true }).dispatchEvent(new Event('release'));
  expect(states).toEqual(['active', 'refused']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(states).toEqual(['active', 'refused', 'active']);
  stop();
});

test('a notification closes after 5 s unless it is urgent and requires interaction', () => {
  browserThatSaid('granted');
  notify(notice);
  notify({ ...notice, title: 'HIGH: Rex needs space', urgent: true });
  expect(shown.map(({ options }) => options.requireInteraction)).toEqual([false, true]);
  vi.advanceTimersByTime(4_999);
  expect(shown.map(({ isOpen }) => isOpen)).toEqual([true, true]);
  vi.advanceTimersByTime(1);
  expect(shown.map(({ isOpen }) => isOpen)).toEqual([false, true]);
});

test('where only the service worker may notify, as in Chrome on Android, it does', async () => {
  class Refusing {
    static readonly permission = 'granted';
    constructor() {
      throw new TypeError('Illegal constructor');
    }
  }
  vi.stubGlobal('Notification', Refusing);
  const showNotification = vi.fn<(title: string, options: NotificationOptions) => Promise<void>>();
  const serviceWorker = { getRegistration: () => Promise.resolve({ showNotification }) };
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { serviceWorker }));
  notify({ ...notice, urgent: true });
  await vi.waitFor(() => expect(showNotification).toHaveBeenCalledOnce());
  expect(showNotification.mock.calls[0]).toMatchObject([
    notice.title,
    { body: notice.body, tag: notice.tag, requireInteraction: true },
  ]);
});

test.each(['default', 'denied'] as const)(
  'skips a notification with a console warning when permission is %s',
  (said) => {
    browserThatSaid(said);
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    expect(getNotificationState()).toBe(said);
    notify(notice);
    expect(shown).toEqual([]);
    expect(warn).toHaveBeenCalledWith('Notification skipped: permission is not granted');
  },
);

test('the generic vibration patterns are those of the specification', () => {
  const felt = vi.fn<(pattern: number[]) => boolean>(() => true);
  vi.stubGlobal('navigator', { vibrate: felt });
  for (const pattern of Object.values(PATTERNS)) vibrate(pattern);
  expect(Object.keys(PATTERNS)).toEqual(['alert', 'success', 'error', 'default']);
  expect(felt.mock.calls).toEqual([
    [[200, 100, 200]],
    [[100]],
    [[200, 100, 200, 100, 200]],
    [[200]],
  ]);
});

test('an output that is off in the settings stays silent', async () => {
  const felt = vi.fn<(pattern: number[]) => boolean>(() => true);
  const speak = vi.fn<() => void>();
  vi.stubGlobal('navigator', { vibrate: felt });
  vi.stubGlobal('speechSynthesis', { speak, cancel: () => {} });
  const off = { ...USUAL_SETTINGS, sounds: false, speech: false, vibration: false };
  const silent = deviceOutputs(
    () => off,
    () => null,
  );
  expect(await silent.play('leash_on')).toBe(false);
  expect(await silent.speak('leash_on', 'Rex needs space.')).toBe(false);
  silent.vibrate([200]);
  expect([felt.mock.calls, speak.mock.calls]).toEqual([[], []]);
  deviceOutputs(
    () => USUAL_SETTINGS,
    () => null,
  ).vibrate([200]);
  expect(felt).toHaveBeenCalledWith([200]);
});
