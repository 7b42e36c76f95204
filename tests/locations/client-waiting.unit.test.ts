import { describe, expect, test } from 'vitest';
import type { FoundLocation } from '#shared/locations/schemas.ts';
import {
  photosWithWaiting,
  ratingWithWaiting,
  tipsWithWaiting,
  withWaiting,
} from '../../client/features/locations/optimistic-places.ts';
import {
  readPlaceQuery,
  writePlaceQuery,
} from '../../client/features/locations/search/search-params.ts';
import type { WaitingCall } from '../../client/platform/sync/outbox/outbox.ts';
import { SAMPLE_TIP } from './made-places.ts';

const from = { latitude: 40, longitude: -75 };
const green: FoundLocation = {
  id: 'green',
  creator_user_id: 'me',
  name: 'Green',
  description: '',
  ...from,
  address: '',
  location_type: 'park',
  leash_required: false,
  parking_available: false,
  water_available: false,
  restrooms_available: false,
  off_leash: false,
  fenced: false,
  lit: false,
  opening_hours: null,
  osm_id: null,
  is_public: true,
  is_active: true,
  visit_count: 2,
  average_rating: 4,
  tip_count: 1,
  distance_miles: 0,
  image_key: null,
  tips: [],
};
const tip = { ...SAMPLE_TIP, creator_user_id: 'other' };
const queuedCall = (call: Pick<WaitingCall, 'name' | 'input'>): WaitingCall =>
  ({ at: 7, label: '', ...call }) as WaitingCall;
const shown = (...calls: Pick<WaitingCall, 'name' | 'input'>[]) =>
  withWaiting([green], calls.map(queuedCall), { userId: 'me', from });

describe('withWaiting', () => {
  test('leaves locations unchanged when no call is queued', () => {
    expect(shown()).toEqual([{ ...green, isWaiting: false, isNew: false }]);
  });

  test('puts a queued location first, with the defaults of the form and its distance', () => {
    const body = { name: 'Meadow', latitude: 40.029, longitude: -75, confirm_new: false };
    const [made, old] = shown({ name: 'locations.create', input: { body } });
    expect(made).toMatchObject({
      id: 'waiting-7',
      name: 'Meadow',
      creator_user_id: 'me',
      location_type: 'park',
      description: '',
      distance_miles: 2,
      isWaiting: true,
      isNew: true,
    });
    expect(old).toMatchObject({ id: 'green', isWaiting: false });
    // A location that was just sent and is already in the response is not shown twice.
    const same = { ...body, name: green.name, ...from };
    expect(shown({ name: 'locations.create', input: { body: same } })).toHaveLength(1);
  });

  test('applies queued changes, tips, visits and removals to a location', () => {
    const params = { id: 'green' };
    const body = { name: 'Greener', ...from, description: null };
    expect(shown({ name: 'locations.update', input: { params, body } })).toMatchObject([
      { name: 'Greener', description: '', isWaiting: true, isNew: false },
    ]);
    const newTip = { location_id: 'green', title: 'A', content: 'B' };
    expect(shown({ name: 'locations.addTip', input: { body: newTip } })).toMatchObject([
      { tip_count: 2, isWaiting: true },
    ]);
    // Only the server knows whether the visit counts: there may have been one today.
    const visited = { body: { location_id: 'green' } };
    expect(shown({ name: 'locations.visit', input: visited })).toMatchObject([
      { visit_count: 2, isWaiting: true },
    ]);
    expect(shown({ name: 'locations.remove', input: { params } })).toEqual([]);
  });

  test('ignores queued calls about other locations', () => {
    const other = { params: { id: 'other' } };
    expect(shown({ name: 'locations.remove', input: other })).toMatchObject([{ isWaiting: false }]);
  });
});

describe('tipsWithWaiting', () => {
  const tipsAfter = (...calls: Pick<WaitingCall, 'name' | 'input'>[]) =>
    tipsWithWaiting([tip], calls.map(queuedCall), { placeId: 'green', userId: 'me' });
  const params = { id: 'tip' };

  test('puts a queued tip first, applies edits and leaves out removed tips', () => {
    const body = { location_id: 'green', title: 'A', content: 'B' };
    expect(tipsAfter({ name: 'locations.addTip', input: { body } })).toMatchObject([
      { id: 'waiting-7', title: 'A', tip_type: 'general', creator_user_id: 'me' },
      { id: 'tip' },
    ]);
    const elsewhere = { body: { ...body, location_id: 'other' } };
    expect(tipsAfter({ name: 'locations.addTip', input: elsewhere })).toEqual([tip]);
    const edited = { title: 'Sun', content: 'All day.' };
    expect(tipsAfter({ name: 'locations.editTip', input: { params, body: edited } })).toMatchObject(
      [edited],
    );
    expect(tipsAfter({ name: 'locations.removeTip', input: { params } })).toEqual([]);
  });

  test('counts a queued vote once and takes it back', () => {
    const vote = (is_helpful: boolean) =>
      ({ name: 'locations.voteForTip', input: { params, body: { is_helpful } } }) as const;
    const yes = { is_helpful: true, is_helpful_count: 4 };
    expect(tipsAfter(vote(true))).toMatchObject([yes]);
    expect(tipsAfter(vote(true), vote(true))).toMatchObject([yes]);
    expect(tipsAfter(vote(true), vote(false))).toEqual([tip]);
  });
});

describe('search parameters in the URL', () => {
  const read = (text: string) => readPlaceQuery(new URLSearchParams(text));

  test('writes the search to the URL with coordinates rounded to three decimals', () => {
    const address = new URLSearchParams('map=shown');
    writePlaceQuery(address, {
      from: { latitude: 40.123456, longitude: -75.98765 },
      radius: 25,
      type: 'lake',
      features: ['fenced', 'lit'],
      near: 'Reading',
    });
    expect(String(address)).toBe(
      'map=shown&latitude=40.123&longitude=-75.988&radius=25&type=lake&features=fenced%2Clit&near=Reading',
    );
    expect(readPlaceQuery(address)).toEqual({
      from: { latitude: 40.123, longitude: -75.988 },
      radius: 25,
      type: 'lake',
      features: ['fenced', 'lit'],
      near: 'Reading',
    });
    writePlaceQuery(address, { from: null, radius: 10, type: null, features: [], near: null });
    expect(address.has('type')).toBe(false);
    expect(address.has('near')).toBe(false);
  });

  test.each([
    ['', 10],
    ['radius=', 10],
    ['radius=far', 10],
    ['radius=40.9', 40],
    ['radius=0', 1],
    ['radius=-3', 1],
    ['radius=1000', 100],
  ])("'%s' gives a radius of %d whole miles", (text, radius) =>
    expect(read(text).radius).toBe(radius),
  );

  test.each(['latitude=91&longitude=0', 'latitude=1', 'latitude=x&longitude=1', ''])(
    "'%s' gives no coordinates",
    (text) => expect(read(text).from).toBeNull(),
  );

  test('ignores unknown location types', () => {
    expect(read('type=castle').type).toBeNull();
    expect(read('type=park').type).toBe('park');
  });
});

test('shows the last rating of a place, or that it was withdrawn, before it is sent', () => {
  const params = { id: 'green' };
  const rate = (rating: number, of = params) =>
    queuedCall({ name: 'locations.rate', input: { params: of, body: { rating } } });
  const withdraw = queuedCall({ name: 'locations.withdrawRating', input: { params } });
  expect(ratingWithWaiting(3, [], 'green')).toBe(3);
  expect(ratingWithWaiting(3, [rate(2), rate(5, { id: 'blue' })], 'green')).toBe(2);
  expect(ratingWithWaiting(3, [rate(2), withdraw], 'green')).toBeNull();
  expect(ratingWithWaiting(3, [withdraw, rate(4)], 'green')).toBe(4);
  expect(ratingWithWaiting(3, [withdraw], 'blue')).toBe(3);
});

test('leaves out photos whose removal is unsent', () => {
  const photos = ['one', 'two'].map((id) => ({
    id,
    image_key: id,
    creator_user_id: 'me',
    author_name: 'Me',
    created_at: '2026-11-21T00:00:00.000Z',
  }));
  const remove = queuedCall({ name: 'locations.removePhoto', input: { params: { id: 'one' } } });
  expect(photosWithWaiting(photos, [remove]).map(({ id }) => id)).toEqual(['two']);
  expect(photosWithWaiting(photos, [])).toEqual(photos);
});
