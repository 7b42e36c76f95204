// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { USUAL_SETTINGS } from '#shared/settings/document.ts';
import type { WarningPreferences } from '../../../client/features/proximity/monitor/proximity-monitor.ts';
import { ProximityTab } from '../../../client/features/proximity/monitor/proximity-tab.ts';
import type { LeadingTab } from '../../../client/platform/events/leading-tab.ts';

const rex = { name: 'Rex', sound_type: 'leash_on', image_key: null };
const answer = {
  nearbyUsers: [{ user_id: 'sam', display_name: 'Sam', distance_feet: 50, dogs: [rex] }],
  next_update_seconds: 10,
};
const position = () => ({
  coords: { latitude: 1, longitude: 2, accuracy: 5, speed: 1, heading: 0 },
  timestamp: Date.now(),
});

const notices: string[] = [];

beforeEach(() => {
  notices.length = 0;
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(answer)));
  vi.stubGlobal('navigator', {
    onLine: true,
    geolocation: {
      watchPosition: (found: PositionCallback) => {
        setTimeout(() => found(position() as GeolocationPosition));
        return 1;
      },
      clearWatch: () => {},
    },
  });
  vi.stubGlobal(
    'Notification',
    class {
      static readonly permission = 'granted';
      constructor(title: string) {
        notices.push(title);
      }
      close() {}
    },
  );
  vi.spyOn(console, 'warn').mockReturnValue();
});
afterEach(() => {
  vi.useRealTimers();
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const preferences: WarningPreferences = {
  sharing: true,
  isWalking: true,
  ownSide: { wary: [], notes: [] },
  dogIds: null,
  lookalikeOf: () => null,
  leashPlaceAt: () => null,
  friendIds: new Set(),
  settings: { ...USUAL_SETTINGS, sounds: false, speech: false },
  quietPlaces: [],
  ownSound: () => null,
};

/** A tab that leads or follows. @param wants null while its documents are loading */
function tab(leads: boolean, wants: WarningPreferences | null = preferences) {
  let changed = () => {};
  const leading = {
    leads,
    onLeads(listener: () => void) {
      changed = listener;
      return () => {};
    },
    onEvent: () => () => {},
  };
  const made = new ProximityTab('ann', leading as unknown as LeadingTab);
  made.start();
  if (wants) made.setPreferences(wants);
  const lead = (now: boolean) => {
    leading.leads = now;
    changed();
  };
  return { made, lead };
}

test('an acknowledged alert stays folded when another tab takes over', async () => {
  const [first, second] = [tab(true), tab(false)];
  const alerts = () => second.made.getState().alerts;
  await vi.waitFor(() => expect(alerts()).toHaveLength(1));
  // Another tab than the leading one may be in front.
  second.made.act({ type: 'fold', userIds: ['sam'] });
  await vi.waitFor(() => expect(alerts()).toMatchObject([{ isFolded: true }]));
  first.lead(false);
  second.lead(true);
  await vi.waitFor(() => expect(second.made.getState()).toMatchObject({ status: 'active' }));
  expect(second.made.getState().nearby).toHaveLength(1);
  expect(alerts()).toMatchObject([{ isFolded: true }]);
  second.lead(false);
  for (const { made } of [first, second]) made.stop();
});

test('an alert stays shown when another tab takes over before it has documents or a position', async () => {
  const [first, second] = [tab(true), tab(false, null)];
  const state = () => second.made.getState();
  await vi.waitFor(() => expect(state().alerts).toHaveLength(1));
  vi.stubGlobal('navigator', {
    onLine: true,
    geolocation: { watchPosition: () => 2, clearWatch: () => {} },
  });
  first.lead(false);
  second.lead(true);
  expect(state()).toMatchObject({ status: 'starting', leads: true, alerts: [{ user_id: 'sam' }] });
  second.made.setPreferences(preferences);
  expect(state()).toMatchObject({ status: 'starting', leads: true, alerts: [{ user_id: 'sam' }] });
  await vi.waitFor(() => expect(first.made.getState()).toMatchObject({ leads: false }));
  expect(first.made.getState().alerts).toHaveLength(1);
  expect(state().nearby).toHaveLength(1);
  second.lead(false);
  for (const { made } of [first, second]) made.stop();
});

test('shows and continues the alerts of a leading tab with an earlier version of the app', async () => {
  const { made, lead } = tab(false);
  const earlier = new BroadcastChannel('leashwise-proximity-ann');
  const alert = {
    user_id: 'sam',
    display_name: 'Sam',
    distance_feet: 50,
    dogs: [rex],
    course: '',
    isUrgent: true,
    names: 'Rex',
    verdict: 'needs space',
    advice: '',
    notes: '',
    isAnnounced: true,
    announcedFeet: 50,
    isFolded: false,
    silence: null,
    isAsking: false,
  };
  const receivedAt = Date.now();
  const state = { status: 'active', nearby: [], receivedAt, alerts: [alert], stopped: null };
  earlier.postMessage({ type: 'state', state });
  const complete = {
    ...alert,
    brief: 'Rex',
    answers: { theirs: null, own: null },
    answeredAdvice: null,
    receivedAt: expect.any(Number),
  };
  await vi.waitFor(() => expect(made.getState().alerts).toMatchObject([complete]));
  lead(true);
  expect(made.getState()).toMatchObject({ leads: true, alerts: [{ user_id: 'sam' }] });
  earlier.postMessage({
    type: 'act',
    action: { type: 'answered', userId: 'sam', phrase: 'waiting' },
  });
  await vi.waitFor(() =>
    expect(made.getState().alerts).toMatchObject([{ answers: { own: 'waiting' } }]),
  );
  lead(false);
  made.stop();
  earlier.close();
});

describe('a silence', () => {
  test('lasts for the walk, also in a tab that takes over or is opened later', async () => {
    const [first, second] = [tab(true), tab(false)];
    const silence = ({ made }: typeof first) => made.getState().alerts[0]?.silence;
    await vi.waitFor(() => expect(silence(second)).toBe(null));
    second.made.act({ type: 'silence', userId: 'sam', isSilenced: true });
    await vi.waitFor(() => expect(silence(second)).toBe('walk'));
    for (const { made } of [first, second]) made.stop();
    const third = tab(true);
    await vi.waitFor(() => expect(silence(third)).toBe('walk'));
    expect(third.made.getState().nearby).toHaveLength(1);
    third.made.setPreferences({ ...preferences, sharing: false });
    third.made.setPreferences(preferences);
    await vi.waitFor(() => expect(silence(third)).toBe(null));
    third.made.stop();
  });

  test('of friends’ dogs is about friends only', async () => {
    const settings = { ...preferences.settings, silence_friends: true };
    const { made } = tab(true, { ...preferences, settings });
    const silence = () => made.getState().alerts[0]?.silence;
    await vi.waitFor(() => expect(silence()).toBe(null));
    made.setPreferences({ ...preferences, settings, friendIds: new Set(['sam']) });
    await vi.waitFor(() => expect(silence()).toBe('friends'));
    made.stop();
  });
});

describe('end of warnings in a tab', () => {
  async function active() {
    const made = tab(true);
    await vi.waitFor(() => expect(made.made.getState()).toMatchObject({ status: 'active' }));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    return made;
  }
  const stopped = () => notices.filter((title) => title === 'Warnings have stopped').length;
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

  test('announces that warnings have stopped when the session or access ends', async () => {
    const { made } = await active();
    made.stop();
    await vi.advanceTimersByTimeAsync(3_499);
    expect(stopped()).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(stopped()).toBe(1);
  });

  test('does not announce an end when another tab takes over', async () => {
    const [first, second] = [await active(), tab(false)];
    first.lead(false);
    second.lead(true);
    await vi.advanceTimersByTimeAsync(3_000);
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(stopped()).toBe(0);
    second.lead(false);
    for (const { made } of [first, second]) made.stop();
    await vi.advanceTimersByTimeAsync(3_500);
    expect(stopped()).toBe(1);
  });

  test('does not announce an end after a logout or when sharing is turned off', async () => {
    const { made } = await active();
    localStorage.setItem('logout_pending', 'true');
    made.stop();
    await vi.advanceTimersByTimeAsync(600_000);
    vi.useRealTimers();
    localStorage.clear();
    const other = await active();
    other.made.setPreferences({ ...preferences, sharing: false });
    other.made.stop();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(stopped()).toBe(0);
  });
});
