// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ServerEvent } from '#shared/events/contract.ts';
import type { LocationAnswer, NearbyUser } from '#shared/proximity/contract.ts';
import { USUAL_SETTINGS } from '#shared/settings/document.ts';
import type { QuietPlace } from '#shared/settings/rules.ts';
import { ProximityMonitor } from '../../../client/proximity/monitor/proximity-monitor.ts';
import { OFF, type ProximityState } from '../../../client/proximity/monitor/proximity-state.ts';

const sam: NearbyUser = {
  user_id: 'sam',
  display_name: 'Sam',
  distance_feet: 80,
  dogs: [{ name: 'Rex', sound_type: 'leash_on', image_key: null }],
};

/** The world around a tab: where the device is, what the server answers, whether the page is in sight. */
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
    hear: new Set<(event: ServerEvent) => void>(),
    /** Since when events were to have come, each time that they were mistrusted. */
    mistrusted: [] as number[],
    settings: { ...USUAL_SETTINGS },
    quietPlaces: [] as QuietPlace[],
    /** What was sent: method and body. */
    sent: [] as [string, unknown][],
  };
  const where = (found: PositionCallback, failed?: PositionErrorCallback | null) => {
    if (state.fix === true)
      found({
        timestamp: Date.now(),
        coords: { latitude: 1, longitude: 2, accuracy: 5, speed: null, heading: NaN },
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
      watchPosition: (...how: Parameters<typeof where>) => setTimeout(() => where(...how)) && 1,
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
  vi.stubGlobal('fetch', (_: string, { method, body: told }: RequestInit) => {
    state.posts += 1;
    state.sent.push([String(method), told === undefined ? null : JSON.parse(told as string)]);
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

let lookout: ProximityMonitor | null = null;
let shown: ProximityState[] = [];
const now = () => shown.at(-1);
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

function keep(there: ReturnType<typeof world>) {
  lookout = new ProximityMonitor({
    onEvent: (listener) => {
      there.hear.add(listener);
      return () => there.hear.delete(listener);
    },
    mistrustEvents: (silentSince) => there.mistrusted.push(silentSince),
    preferences: () => ({
      sharing: true,
      ownWary: [],
      settings: there.settings,
      quietPlaces: there.quietPlaces,
      ownSound: () => null,
    }),
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
  lookout?.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('it starts, reports, and shows who is near, the nearest first', async () => {
  const there = world();
  there.answer.body = {
    nearbyUsers: [sam, { ...sam, user_id: 'kim', distance_feet: 40 }],
    next_update_seconds: 5,
  };
  keep(there);
  expect(now()?.status).toBe('starting');
  await pass(10);
  expect(now()).toMatchObject({ status: 'active', screen: 'missing' });
  expect(now()?.nearby?.map(({ user_id }) => user_id)).toEqual(['kim', 'sam']);
  expect(now()?.alerts.map(({ user_id }) => user_id)).toEqual(['kim', 'sam']);
});

test('what kept reports from getting through has the events come another way, once', async () => {
  const there = world();
  keep(there);
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

test('an event alerts before any answer does, and a cadence event hurries the next report', async () => {
  const there = world();
  keep(there);
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
] as const)('a position that is %s is said', async (fix, status) => {
  const there = world();
  there.fix = fix;
  keep(there);
  await pass(10);
  expect(now()?.status).toBe(status);
});

test('the switch that the server has not heard of yet is no trouble, and is tried again soon', async () => {
  const there = world();
  const { answer } = there;
  there.answer = {
    status: 409,
    body: { error: 'Location sharing is off', code: 'sharing_off' },
  };
  keep(there);
  await pass(10);
  expect(now()?.status).toBe('starting');
  there.answer = answer;
  await pass(2000);
  expect(now()?.status).toBe('active');
});

test('a switch of which the server never hears is said to be trouble', async () => {
  const there = world();
  there.answer = { status: 409, body: { error: 'Location sharing is off', code: 'sharing_off' } };
  keep(there);
  await pass(8_000);
  expect(now()).toMatchObject({ status: 'starting', problem: null });
  await pass(60_000);
  expect(now()).toMatchObject({
    status: 'failing',
    problem: 'Our server doesn’t know yet that you’re sharing your location.',
  });
});

test('trouble at the server is said in its words', async () => {
  const there = world();
  there.answer = { status: 503, body: { error: 'The database is away', code: 'unavailable' } };
  keep(there);
  await pass(10);
  expect(now()).toMatchObject({ status: 'failing', problem: 'The database is away' });
});

test('a server that says when to come back is not asked before', async () => {
  const there = world();
  const { answer } = there;
  there.answer = {
    status: 429,
    body: { error: 'Too many requests', code: 'rate_limited' },
    headers: { 'retry-after': '20' },
  };
  keep(there);
  await pass(19_000);
  expect(there.posts).toBe(1);
  there.answer = answer;
  await pass(2000);
  expect(there.posts).toBe(2);
  expect(now()?.status).toBe('active');
});

test('without a network it says so at once, and old company is forgotten after two minutes', async () => {
  const there = world();
  there.answer.body = { nearbyUsers: [sam], next_update_seconds: 30 };
  keep(there);
  await pass(10);
  there.online = false;
  dispatchEvent(new Event('offline'));
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

test('back from out of sight it says for how long it was paused, for a while', async () => {
  const there = world();
  keep(there);
  await pass(1000);
  there.look(false);
  // The phone puts the page to sleep: time goes by, and no timer runs.
  vi.setSystemTime(Date.now() + 240_000);
  there.look(true);
  expect(now()?.status).toBe('paused');
  await pass(100);
  expect(now()).toMatchObject({ status: 'active', pausedMs: 240_000 });
  await pass(31_000);
  expect(now()).toMatchObject({ status: 'active', pausedMs: null });
});

test('back from out of sight, without a position it says so, and in time that warnings have stopped', async () => {
  const there = world();
  keep(there);
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

test('a page out of sight that still hears the server was not paused', async () => {
  const there = world();
  keep(there);
  await pass(1000);
  there.look(false);
  await pass(240_000);
  there.look(true);
  await pass(1000);
  expect(shown.some(({ status, pausedMs }) => status === 'paused' || pausedMs !== null)).toBe(
    false,
  );
});

test('closed, it does nothing more', async () => {
  const there = world();
  keep(there);
  await pass(10);
  const { posts } = there;
  const changes = shown.length;
  lookout?.close();
  await pass(120_000);
  expect(there.posts).toBe(posts);
  expect(shown).toHaveLength(changes);
  expect(vi.getTimerCount()).toBe(0);
});

test('reports carry how far its owner wants to hear', async () => {
  const there = world();
  there.settings.alert_radius_feet = 250;
  keep(there);
  await pass(10);
  expect(there.sent[0]).toMatchObject(['POST', { latitude: 1, radius_feet: 250 }]);
});

test('people beyond the owner’s radius are shown, and nobody is warned of them', async () => {
  const there = world();
  there.settings.alert_radius_feet = 70;
  there.answer.body = { nearbyUsers: [sam], next_update_seconds: 5 };
  keep(there);
  await pass(10);
  expect(now()).toMatchObject({ nearby: [{ user_id: 'sam' }], alerts: [] });
  there.settings.alert_radius_feet = 90;
  await pass(6_000);
  expect(now()?.alerts).toMatchObject([{ names: 'Rex' }]);
});

test('a position by which nobody can be warned is said to be too rough, until there is a better one', async () => {
  const there = world();
  const rough: LocationAnswer = { nearbyUsers: [], next_update_seconds: 10, is_too_rough: true };
  there.answer.body = rough;
  keep(there);
  await pass(10);
  expect(now()).toMatchObject({ status: 'rough' });
  there.answer.body = { nearbyUsers: [sam], next_update_seconds: 10 };
  await pass(12_000);
  expect(now()).toMatchObject({ status: 'active', alerts: [{ user_id: 'sam' }] });
});

test('what it sends is numbered, and names this lookout', async () => {
  const there = world();
  keep(there);
  await pass(65_000);
  const orders = there.sent.map(([, body]) => body as { device: string; sequence: number });
  expect(orders.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  expect(new Set(orders.map(({ device }) => device)).size).toBe(1);
});

test('in a quiet place nobody is shown or heard of, and only the position’s end is sent', async () => {
  const there = world();
  there.answer.body = { nearbyUsers: [sam], next_update_seconds: 30 };
  keep(there);
  await pass(10);
  expect(now()?.alerts).toHaveLength(1);
  there.quietPlaces.push({ id: 'q', name: 'Home', latitude: 1, longitude: 2, radius_feet: 500 });
  lookout?.review();
  await pass(10);
  expect(now()).toMatchObject({ status: 'quiet', nearby: null, alerts: [] });
  expect(there.sent.map(([method]) => method)).toEqual(['POST', 'DELETE']);
  there.event({ type: 'encounter', id: 'e', triggered_at: new Date().toISOString(), user: sam });
  await pass(60_000);
  expect(now()).toMatchObject({ status: 'quiet', alerts: [] });
  expect(there.sent).toHaveLength(2);
  there.quietPlaces.length = 0;
  lookout?.review();
  await pass(10);
  expect(now()).toMatchObject({ status: 'active', nearby: [{ user_id: 'sam' }] });
});

test('a position that is not confirmed yet is said to be checked, and keeps the warning that is on', async () => {
  const there = world();
  there.answer.body = { nearbyUsers: [sam], next_update_seconds: 10 };
  keep(there);
  await pass(10);
  expect(now()).toMatchObject({ status: 'active', alerts: [{ user_id: 'sam' }] });
  there.answer.body = { nearbyUsers: [], next_update_seconds: 10, is_unconfirmed: true };
  await pass(12_000);
  expect(now()).toMatchObject({ status: 'unconfirmed', alerts: [{ user_id: 'sam' }] });
});
