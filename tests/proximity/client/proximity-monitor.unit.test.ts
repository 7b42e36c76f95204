// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ServerEvent } from '#shared/events/contract.ts';
import type { LocationAnswer, NearbyUser } from '#shared/proximity/contract.ts';
import { USUAL_SETTINGS } from '#shared/settings/document.ts';
import type { QuietPlace } from '#shared/settings/rules.ts';
import { AcknowledgedAlerts } from '../../../client/features/proximity/alerts/acknowledged-alerts.ts';
import { WalkSilences } from '../../../client/features/proximity/alerts/walk-silences.ts';
import { ProximityMonitor } from '../../../client/features/proximity/monitor/proximity-monitor.ts';
import {
  OFF,
  type ProximityState,
} from '../../../client/features/proximity/monitor/proximity-state.ts';
import { probe } from '../../../client/platform/http/reachability.ts';

const sam: NearbyUser = {
  user_id: 'sam',
  display_name: 'Sam',
  distance_feet: 80,
  dogs: [{ name: 'Rex', sound_type: 'leash_on', image_key: null }],
};

/** The environment of a tab: the position, the server's responses and the visibility of the page. */
function world() {
  const state = {
    fix: true as true | 'denied' | 'lost',
    answer: { status: 200, body: { nearbyUsers: [] as NearbyUser[], next_update_seconds: 30 } } as {
      status: number;
      body: object;
      headers?: Record<string, string>;
    },
    posts: 0,
    visible: true,
    online: true,
    latitude: 1,
    isWalking: true,
    /** Delivers the position to the watch. */
    deliver: () => {},
    hear: new Set<(event: ServerEvent) => void>(),
    /** The time since which events are missing, for each reconnection. */
    mistrusted: [] as number[],
    settings: { ...USUAL_SETTINGS },
    dogIds: null as string[] | null,
    quietPlaces: [] as QuietPlace[],
    /** The method and body of each request. */
    sent: [] as [string, unknown][],
    fixes: [] as unknown[],
  };
  const where = (found: PositionCallback, failed?: PositionErrorCallback | null) => {
    if (state.fix === true)
      found({
        timestamp: Date.now(),
        coords: { latitude: state.latitude, longitude: 2, accuracy: 5, speed: null, heading: NaN },
      } as GeolocationPosition);
    else
      failed?.({
        code: state.fix === 'denied' ? 1 : 3,
        PERMISSION_DENIED: 1,
      } as GeolocationPositionError);
  };
  vi.stubGlobal('navigator', {
    geolocation: {
      getCurrentPosition: (...how: Parameters<typeof where>) => setTimeout(() => where(...how)),
      watchPosition: (...how: Parameters<typeof where>) => {
        state.deliver = () => where(...how);
        return setTimeout(state.deliver) && 1;
      },
      clearWatch: () => {},
    },
    get onLine() {
      return state.online;
    },
  });
  Object.defineProperty(document, 'visibilityState', {
    configurable: true,
    get: () => (state.visible ? 'visible' : 'hidden'),
  });
  vi.stubGlobal('fetch', (_: string, { method, body: sentBody }: RequestInit) => {
    state.posts += 1;
    state.sent.push([
      String(method),
      sentBody === undefined ? null : JSON.parse(sentBody as string),
    ]);
    if (!state.online) return Promise.reject(new TypeError('Failed to fetch'));
    const { body, ...init } = state.answer;
    return Promise.resolve(Response.json(body, init));
  });
  const look = (visible: boolean) => {
    state.visible = visible;
    document.dispatchEvent(new Event('visibilitychange'));
  };
  const event = (data: ServerEvent) => {
    for (const listener of state.hear) listener(data);
  };
  return Object.assign(state, { look, event });
}

let monitor: ProximityMonitor | null = null;
let shown: ProximityState[] = [];
const now = () => shown.at(-1);
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

function startMonitor(there: ReturnType<typeof world>) {
  monitor = new ProximityMonitor({
    onEvent: (listener) => {
      there.hear.add(listener);
      return () => there.hear.delete(listener);
    },
    mistrustEvents: (silentSince) => there.mistrusted.push(silentSince),
    preferences: () => ({
      sharing: true,
      isWalking: there.isWalking,
      ownSide: { wary: [], notes: [] },
      dogIds: there.dogIds,
      lookalikeOf: () => null,
      leashPlaceAt: () => null,
      friendIds: new Set(),
      settings: there.settings,
      quietPlaces: there.quietPlaces,
      ownSound: () => null,
    }),
    onFix: (fix) => there.fixes.push(fix),
    silences: new WalkSilences('ann'),
    acknowledged: new AcknowledgedAlerts('ann'),
    before: OFF,
    onChange: (state) => shown.push(state),
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  shown = [];
});
afterEach(() => {
  monitor?.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test.each([
  [true, 0],
  [undefined, 1],
])('a device with is_left_behind %s sounds %i alerts, and shows them', async (isLeft, count) => {
  const there = world();
  const vibrate = vi.fn<() => boolean>(() => true);
  Object.assign(navigator, { vibrate });
  there.answer.body = { nearbyUsers: [sam], next_update_seconds: 5, is_left_behind: isLeft };
  startMonitor(there);
  await pass(3_000);
  expect(now()?.alerts).toHaveLength(1);
  expect(vibrate).toHaveBeenCalledTimes(count);
});

test('a walk without a name says so in each report, at once after the choice', async () => {
  const there = world();
  startMonitor(there);
  await pass(100);
  const flags = () => there.sent.map(([, body]) => (body as { is_nameless?: true }).is_nameless);
  expect(flags()).toEqual([undefined]);
  there.settings = { ...there.settings, is_nameless: true };
  monitor?.review();
  await pass(1_500);
  expect(flags()).toEqual([undefined, true]);
  there.settings = { ...there.settings, is_nameless: false };
  monitor?.review();
  await pass(1_500);
  expect(flags()).toEqual([undefined, true, undefined]);
});

test('a location without a walk is too rough for warnings', async () => {
  const there = world();
  there.isWalking = false;
  there.latitude = 1.2345;
  startMonitor(there);
  await pass(100);
  expect(there.sent[0]?.[1]).toMatchObject({ latitude: 1.23, longitude: 2, accuracy: 1000 });
  expect(there.sent[0]?.[1]).not.toHaveProperty('heading');
});

test.each([
  ['on its way', 0],
  ['answered', 5_000],
])('a walk that starts while a rough location is %s is reported at once', async (_, waitMs) => {
  const there = world();
  there.isWalking = false;
  there.latitude = 1.2345;
  startMonitor(there);
  await vi.waitFor(() => expect(there.posts).toBe(1));
  await pass(waitMs);
  there.isWalking = true;
  monitor?.review();
  await pass(500);
  expect(there.sent.map(([, body]) => (body as { latitude: number }).latitude)).toEqual([
    1.23, 1.2345,
  ]);
});

test('an encounter event says when its person was seen, not when others were', async () => {
  const there = world();
  there.answer.body = {
    nearbyUsers: [{ ...sam, user_id: 'kim' }],
    next_update_seconds: 30,
  };
  startMonitor(there);
  await pass(100);
  const receivedAt = now()?.receivedAt;
  await pass(25_000);
  const triggered_at = new Date().toISOString();
  there.event({ type: 'encounter', id: 'e', triggered_at, user: sam });
  const seen = new Map(now()?.alerts.map((alert) => [alert.user_id, alert.receivedAt]));
  expect(seen).toEqual(
    new Map([
      ['kim', receivedAt],
      ['sam', Date.now()],
    ]),
  );
  expect(now()?.receivedAt).toBe(receivedAt);
});

test('a report says which dogs came along, at once after the choice', async () => {
  const there = world();
  startMonitor(there);
  await pass(100);
  for (const ids of [['lola'], [], null]) {
    there.dogIds = ids;
    monitor?.review();
    await pass(1_500);
  }
  expect(there.sent.map(([, body]) => (body as { dog_ids?: string[] }).dog_ids)).toEqual([
    undefined,
    ['lola'],
    [],
    undefined,
  ]);
});

test('starts, reports and shows people nearby, nearest first', async () => {
  const there = world();
  there.answer.body = {
    nearbyUsers: [sam, { ...sam, user_id: 'kim', distance_feet: 40 }],
    next_update_seconds: 5,
  };
  startMonitor(there);
  expect(now()?.status).toBe('starting');
  await pass(10);
  expect(now()).toMatchObject({ status: 'active', screen: 'missing' });
  expect(now()?.nearby?.map(({ user_id }) => user_id)).toEqual(['kim', 'sam']);
  expect(now()?.alerts.map(({ user_id }) => user_id)).toEqual(['kim', 'sam']);
});

test('reconnects the event stream once after failed reports', async () => {
  const there = world();
  startMonitor(there);
  await pass(40_000);
  const failedAt = Date.now() + 20_000;
  there.online = false;
  await pass(25_000);
  expect(there.mistrusted).toEqual([]);
  there.online = true;
  await pass(60_000);
  expect(there.mistrusted).toHaveLength(1);
  expect(there.mistrusted[0]).toBeCloseTo(failedAt, -3);
});

test('alerts on an event before any response, and a cadence event speeds up the next report', async () => {
  const there = world();
  startMonitor(there);
  await pass(1000);
  there.event({
    type: 'encounter',
    id: 'e',
    triggered_at: new Date().toISOString(),
    user: sam,
  });
  await pass(10);
  expect(now()?.alerts).toMatchObject([{ names: 'Rex', distance_feet: 80 }]);
  expect(there.posts).toBe(1);
  there.event({ type: 'cadence', next_update_seconds: 2 });
  await pass(2100);
  expect(there.posts).toBe(2);
});

test.each([
  ['denied', 'denied'],
  ['lost', 'lost'],
] as const)('shows a position that is %s', async (fix, status) => {
  const there = world();
  there.fix = fix;
  startMonitor(there);
  await pass(10);
  expect(now()?.status).toBe(status);
});

test('retries soon while the server doesn’t know yet that sharing is on', async () => {
  const there = world();
  const { answer } = there;
  there.answer = {
    status: 409,
    body: { error: 'Location sharing is off', code: 'sharing_off' },
  };
  startMonitor(there);
  await pass(10);
  expect(now()?.status).toBe('starting');
  there.answer = answer;
  await pass(2000);
  expect(now()?.status).toBe('active');
});

test('shows an error when the server never learns that sharing is on', async () => {
  const there = world();
  there.answer = { status: 409, body: { error: 'Location sharing is off', code: 'sharing_off' } };
  startMonitor(there);
  await pass(8_000);
  expect(now()).toMatchObject({ status: 'starting', problem: null });
  await pass(60_000);
  expect(now()).toMatchObject({
    status: 'failing',
    problem: 'Our server doesn’t know yet that you’re sharing your location.',
  });
});

test('shows the server’s error text', async () => {
  const there = world();
  there.answer = { status: 503, body: { error: 'The database is away', code: 'unavailable' } };
  startMonitor(there);
  await pass(10);
  expect(now()).toMatchObject({ status: 'failing', problem: 'The database is away' });
});

test('waits as long as Retry-After says', async () => {
  const there = world();
  const { answer } = there;
  there.answer = {
    status: 429,
    body: { error: 'Too many requests', code: 'rate_limited' },
    headers: { 'retry-after': '20' },
  };
  startMonitor(there);
  await pass(19_000);
  expect(there.posts).toBe(1);
  there.answer = answer;
  await pass(2000);
  expect(there.posts).toBe(2);
  expect(now()?.status).toBe('active');
});

test('shows that it is offline at once and forgets people nearby after two minutes', async () => {
  const there = world();
  there.answer.body = { nearbyUsers: [sam], next_update_seconds: 30 };
  startMonitor(there);
  await pass(10);
  // The browser's claim alone changes nothing.
  dispatchEvent(new Event('offline'));
  await pass(100);
  expect(now()?.status).toBe('active');
  there.online = false;
  await probe();
  expect(now()?.status).toBe('offline');
  expect(now()?.nearby).toHaveLength(1);
  await pass(125_000);
  expect(now()?.nearby).toBeNull();
  expect(now()?.alerts).toEqual([]);
  there.online = true;
  dispatchEvent(new Event('online'));
  await pass(100);
  expect(now()?.status).toBe('active');
});

test('shows for a while how long it was paused after the page was hidden', async () => {
  const there = world();
  startMonitor(there);
  await pass(1000);
  there.look(false);
  // The phone suspends the page: time passes and no timer runs.
  vi.setSystemTime(Date.now() + 240_000);
  there.look(true);
  expect(now()?.status).toBe('paused');
  await pass(100);
  expect(now()).toMatchObject({ status: 'active', pausedMs: 240_000 });
  await pass(31_000);
  expect(now()).toMatchObject({ status: 'active', pausedMs: null });
});

test('shows a missing position after the page was hidden, and later that warnings have stopped', async () => {
  const there = world();
  startMonitor(there);
  await pass(10);
  there.look(false);
  there.fix = 'lost';
  vi.setSystemTime(Date.now() + 240_000);
  there.look(true);
  expect(now()?.status).toBe('paused');
  await pass(60_000);
  expect(now()).toMatchObject({ status: 'lost', stopped: { isAnnounced: false } });
  await pass(120_000);
  expect(now()).toMatchObject({ status: 'lost', stopped: { isAnnounced: true } });
});

test('does not count as paused while a hidden page still receives responses', async () => {
  const there = world();
  startMonitor(there);
  await pass(1000);
  there.look(false);
  await pass(240_000);
  there.look(true);
  await pass(1000);
  expect(shown.some(({ status, pausedMs }) => status === 'paused' || pausedMs !== null)).toBe(
    false,
  );
});

test('does nothing more after it is closed', async () => {
  const there = world();
  startMonitor(there);
  await pass(10);
  const { posts } = there;
  const changes = shown.length;
  monitor?.close();
  await pass(120_000);
  expect(there.posts).toBe(posts);
  expect(shown).toHaveLength(changes);
  expect(vi.getTimerCount()).toBe(0);
});

test('reports within two seconds once the owner walks on near someone', async () => {
  const there = world();
  there.answer.body = { nearbyUsers: [], next_update_seconds: 10 };
  startMonitor(there);
  await pass(10);
  const walk = async () => {
    there.latitude += 0.0001;
    there.deliver();
    await pass(1500);
  };
  await walk();
  expect(there.posts).toBe(1);
  there.answer.body = { nearbyUsers: [sam], next_update_seconds: 10 };
  await pass(10_000);
  expect(there.posts).toBe(2);
  await pass(1500);
  await walk();
  expect(there.posts).toBe(3);
  // Standing again, the server's interval holds.
  await pass(5000);
  expect(there.posts).toBe(3);
});

test('reports the owner’s alert radius', async () => {
  const there = world();
  there.settings.alert_radius_feet = 250;
  startMonitor(there);
  await pass(10);
  expect(there.sent[0]).toMatchObject(['POST', { latitude: 1, radius_feet: 250 }]);
});

test('shows people beyond the alert radius with a folded alert only', async () => {
  const there = world();
  there.settings.alert_radius_feet = 70;
  there.answer.body = { nearbyUsers: [sam], next_update_seconds: 5 };
  startMonitor(there);
  await pass(10);
  const isFolded = true;
  expect(now()).toMatchObject({ nearby: [{ user_id: 'sam' }], alerts: [{ isFolded }] });
  there.settings.alert_radius_feet = 90;
  await pass(6_000);
  expect(now()?.alerts).toMatchObject([{ names: 'Rex', isFolded: false }]);
});

test('shows that a position is too inaccurate until a better one arrives', async () => {
  const there = world();
  const rough: LocationAnswer = { nearbyUsers: [], next_update_seconds: 10, is_too_rough: true };
  there.answer.body = rough;
  startMonitor(there);
  await pass(10);
  expect(now()).toMatchObject({ status: 'rough' });
  there.answer.body = { nearbyUsers: [sam], next_update_seconds: 10 };
  await pass(12_000);
  expect(now()).toMatchObject({ status: 'active', alerts: [{ user_id: 'sam' }] });
});

test('numbers its reports and sends one device id', async () => {
  const there = world();
  startMonitor(there);
  await pass(65_000);
  const orders = there.sent.map(([, body]) => body as { device: string; sequence: number });
  expect(orders.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  expect(new Set(orders.map(({ device }) => device)).size).toBe(1);
});

test('in a quiet place, shows no one, ignores events and sends only the end of the position', async () => {
  const there = world();
  there.answer.body = { nearbyUsers: [sam], next_update_seconds: 30 };
  startMonitor(there);
  await pass(10);
  expect(now()?.alerts).toHaveLength(1);
  there.quietPlaces.push({ id: 'q', name: 'Home', latitude: 1, longitude: 2, radius_feet: 500 });
  monitor?.review();
  await pass(10);
  expect(now()).toMatchObject({ status: 'quiet', nearby: null, alerts: [] });
  expect(there.sent.map(([method]) => method)).toEqual(['POST', 'DELETE']);
  there.event({ type: 'encounter', id: 'e', triggered_at: new Date().toISOString(), user: sam });
  await pass(60_000);
  expect(now()).toMatchObject({ status: 'quiet', alerts: [] });
  expect(there.sent).toHaveLength(2);
  there.quietPlaces.length = 0;
  monitor?.review();
  await pass(10);
  expect(now()).toMatchObject({ status: 'active', nearby: [{ user_id: 'sam' }] });
});

test('shows that an implausible position is being checked, and keeps the current alert', async () => {
  const there = world();
  there.answer.body = { nearbyUsers: [sam], next_update_seconds: 10 };
  startMonitor(there);
  await pass(10);
  expect(now()).toMatchObject({ status: 'active', alerts: [{ user_id: 'sam' }] });
  there.answer.body = { nearbyUsers: [], next_update_seconds: 10, is_unconfirmed: true };
  await pass(12_000);
  expect(now()).toMatchObject({ status: 'unconfirmed', alerts: [{ user_id: 'sam' }] });
});
