// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { USUAL_SETTINGS } from '#shared/settings/document.ts';
import type { LeadingTab } from '../../client/events/leading-tab.ts';
import { ProximityTab } from '../../client/proximity/proximity-tab.ts';

const rex = { name: 'Rex', sound_type: 'leash_on', image_key: null };
const answer = {
  nearbyUsers: [{ user_id: 'sam', display_name: 'Sam', distance_feet: 50, dogs: [rex] }],
  next_update_seconds: 10,
};
const position = () => ({
  coords: { latitude: 1, longitude: 2, accuracy: 5, speed: 1, heading: 0 },
  timestamp: Date.now(),
});

beforeEach(() => {
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
  vi.spyOn(console, 'warn').mockReturnValue();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** One of the tabs of a browser, which leads as it is told to. */
function tab(leads: boolean) {
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
  made.setWishes({
    sharing: true,
    ownWary: [],
    settings: { ...USUAL_SETTINGS, sounds: false, speech: false },
    quietPlaces: [],
    ownSound: () => null,
  });
  const lead = (now: boolean) => {
    leading.leads = now;
    changed();
  };
  return { made, lead };
}

test('what was dismissed stays so when another tab takes the lead', async () => {
  const [first, second] = [tab(true), tab(false)];
  const alerts = () => second.made.getState().alerts;
  await vi.waitFor(() => expect(alerts()).toHaveLength(1));
  first.made.dismiss(['sam']);
  await vi.waitFor(() => expect(alerts()).toEqual([]));
  first.lead(false);
  second.lead(true);
  await vi.waitFor(() => expect(second.made.getState()).toMatchObject({ status: 'active' }));
  expect(second.made.getState().nearby).toHaveLength(1);
  expect(alerts()).toEqual([]);
  second.lead(false);
  for (const { made } of [first, second]) made.stop();
});
