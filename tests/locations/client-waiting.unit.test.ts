import { describe, expect, test } from 'vitest';
import type { FoundLocation, ReadTip } from '#shared/locations/schemas.ts';
import { readWanted, writeWanted } from '../../client/locations/search/search-params.ts';
import { tipsWithWaiting, withWaiting } from '../../client/locations/optimistic-places.ts';
import type { WaitingCall } from '../../client/sync/outbox/outbox.ts';

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
  is_public: true,
  is_active: true,
  visit_count: 2,
  average_rating: 4,
  tip_count: 1,
  distance_miles: 0,
  tips: [],
};
const tip: ReadTip = {
  id: 'tip',
  location_id: 'green',
  creator_user_id: 'other',
  tip_type: 'general',
  title: 'Shade',
  content: 'Oaks.',
  is_helpful_count: 3,
  is_helpful: false,
  is_public: true,
  is_active: true,
  created_at: '2026-11-21T00:00:00.000Z',
};
const waits = (call: Pick<WaitingCall, 'name' | 'input'>): WaitingCall =>
  ({ at: 7, label: '', ...call }) as WaitingCall;
const shown = (...calls: Pick<WaitingCall, 'name' | 'input'>[]) =>
  withWaiting([green], calls.map(waits), { userId: 'me', from });

describe('places with what waits', () => {
  test('are as they were found when nothing does', () => {
    expect(shown()).toEqual([{ ...green, isWaiting: false, isNew: false }]);
  });

  test('have a new one first, with the defaults of the form and its distance', () => {
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
    // What was sent a moment ago and is in the answer already is not shown twice.
    const same = { ...body, name: green.name, ...from };
    expect(shown({ name: 'locations.create', input: { body: same } })).toHaveLength(1);
  });

  test('are changed, told about, visited and removed', () => {
    const params = { id: 'green' };
    const body = { name: 'Greener', ...from, description: null };
    expect(shown({ name: 'locations.update', input: { params, body } })).toMatchObject([
      { name: 'Greener', description: '', isWaiting: true, isNew: false },
    ]);
    const told = { location_id: 'green', title: 'A', content: 'B' };
    expect(shown({ name: 'locations.addTip', input: { body: told } })).toMatchObject([
      { tip_count: 2, isWaiting: true },
    ]);
    // Whether it counts the server knows: there may have been one today.
    const visited = { body: { location_id: 'green' } };
    expect(shown({ name: 'locations.visit', input: visited })).toMatchObject([
      { visit_count: 2, isWaiting: true },
    ]);
    expect(shown({ name: 'locations.remove', input: { params } })).toEqual([]);
  });

  test('leave calls about other places alone', () => {
    const other = { params: { id: 'other' } };
    expect(shown({ name: 'locations.remove', input: other })).toMatchObject([{ isWaiting: false }]);
  });
});

describe('tips with what waits', () => {
  const tipsAfter = (...calls: Pick<WaitingCall, 'name' | 'input'>[]) =>
    tipsWithWaiting([tip], calls.map(waits), { placeId: 'green', userId: 'me' });
  const params = { id: 'tip' };

  test('have a new one first, changes, and none that is removed', () => {
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

  test('count one’s vote once, and take it back', () => {
    const vote = (is_helpful: boolean) =>
      ({ name: 'locations.voteForTip', input: { params, body: { is_helpful } } }) as const;
    const yes = { is_helpful: true, is_helpful_count: 4 };
    expect(tipsAfter(vote(true))).toMatchObject([yes]);
    expect(tipsAfter(vote(true), vote(true))).toMatchObject([yes]);
    expect(tipsAfter(vote(true), vote(false))).toEqual([tip]);
  });
});

describe('the address', () => {
  const read = (text: string) => readWanted(new URLSearchParams(text));

  test('says what is searched for, to a hundred yards', () => {
    const address = new URLSearchParams('map=shown');
    writeWanted(address, {
      from: { latitude: 40.123456, longitude: -75.98765 },
      radius: 25,
      type: 'lake',
    });
    expect(String(address)).toBe('map=shown&latitude=40.123&longitude=-75.988&radius=25&type=lake');
    expect(readWanted(address)).toEqual({
      from: { latitude: 40.123, longitude: -75.988 },
      radius: 25,
      type: 'lake',
    });
    writeWanted(address, { from: null, radius: 10, type: null });
    expect(address.has('type')).toBe(false);
  });

  test.each([
    ['', 10],
    ['radius=', 10],
    ['radius=far', 10],
    ['radius=40.9', 40],
    ['radius=0', 1],
    ['radius=-3', 1],
    ['radius=1000', 100],
  ])('%s: a radius of %d whole miles', (text, radius) => expect(read(text).radius).toBe(radius));

  test.each(['latitude=91&longitude=0', 'latitude=1', 'latitude=x&longitude=1', ''])(
    '%s says no place',
    (text) => expect(read(text).from).toBeNull(),
  );

  test('knows no types but those that there are', () => {
    expect(read('type=castle').type).toBeNull();
    expect(read('type=park').type).toBe('park');
  });
});
