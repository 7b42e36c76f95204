// @vitest-environment jsdom
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ReadLocation } from '#shared/locations/schemas.ts';
import {
  addPhoto,
  applyToOpened,
  forgetOpened,
  openedPlace,
  rememberOpened,
} from '../../client/features/locations/opened-places.ts';
import { useOpenedPlaces } from '../../client/features/locations/use-opened-places.ts';
import { queries } from '../../client/platform/http/query-client.ts';
import { clearCache } from '../../client/platform/local-cache.ts';
import type { WaitingCall } from '../../client/platform/sync/outbox/outbox.ts';
import { renderScreen } from '../render-screen.tsx';
import { SAMPLE_TIP } from './made-places.ts';

const outbox = vi.hoisted(() => ({ report: (_outcome: object) => {} }));
vi.mock('../../client/platform/sync/documents/use-document.ts', () => {
  const documents = { userId: 'sam' };
  return { useDocuments: () => documents };
});
vi.mock('../../client/platform/sync/outbox/outbox.ts', () => ({
  outboxOf: () => ({
    onOutcome(report: (outcome: object) => void) {
      outbox.report = report;
      return () => {};
    },
  }),
}));

const place = (id: string, tips = 1): ReadLocation => ({
  id,
  creator_user_id: null,
  name: id,
  description: '',
  latitude: 40,
  longitude: -75,
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
  visit_count: 0,
  average_rating: null,
  tip_count: tips,
  tips: Array.from({ length: tips }, (_, i) => ({ ...SAMPLE_TIP, id: `tip ${i}` })),
  photos: [
    {
      id: 'photo',
      image_key: 'key',
      creator_user_id: 'kim',
      author_name: 'Kim',
      created_at: '2026-11-21T00:00:00.000Z',
    },
  ],
  own_rating: 4,
  is_used_by_others: true,
});

const accepted = (call: Pick<WaitingCall, 'name' | 'input'>, answer: unknown = {}) =>
  applyToOpened('sam', { at: 7, label: '', ...call } as WaitingCall, answer);

afterEach(() => {
  localStorage.clear();
  queries.clear();
});

test('an opened place is read back with its photos, by the user who opened it, until they sign out', () => {
  rememberOpened('sam', place('green'));
  expect(openedPlace('sam', 'green')).toEqual(place('green'));
  expect(openedPlace('sam', 'blue')).toBeNull();
  expect(openedPlace('alex', 'green')).toBeNull();
  clearCache('sam');
  expect(openedPlace('sam', 'green')).toBeNull();
});

test('keeps the last twelve opened places and twenty tips of each', () => {
  for (let i = 1; i <= 12; i++) rememberOpened('sam', place(`place ${i}`, 30));
  rememberOpened('sam', { ...place('place 1'), name: 'Again' });
  rememberOpened('sam', place('place 13'));
  expect(openedPlace('sam', 'place 1')?.name).toBe('Again');
  expect(openedPlace('sam', 'place 2')).toBeNull();
  expect(openedPlace('sam', 'place 3')?.tips).toHaveLength(20);
  forgetOpened('sam', 'place 3');
  expect(openedPlace('sam', 'place 3')).toBeNull();
});

describe('a closed place, once the server has accepted a change of it,', () => {
  const params = { id: 'green' };
  const opened = () => openedPlace('sam', 'green');

  test('has the rating, or none if it was withdrawn, and others are unchanged', () => {
    rememberOpened('sam', place('blue'));
    rememberOpened('sam', place('green'));
    accepted({ name: 'locations.rate', input: { params, body: { rating: 2 } } });
    expect(opened()).toEqual({ ...place('green'), own_rating: 2 });
    expect(openedPlace('sam', 'blue')).toEqual(place('blue'));
    accepted({ name: 'locations.withdrawRating', input: { params } });
    expect(opened()?.own_rating).toBeNull();
  });

  test('starts from the stored copy when it is opened again, not from its last answer', () => {
    rememberOpened('sam', place('green'));
    queries.setQueryData(['place', 'sam', 'green'], { location: place('green') });
    accepted({ name: 'locations.rate', input: { params, body: { rating: 2 } } });
    expect(queries.getQueryData(['place', 'sam', 'green'])).toBeUndefined();
  });

  test('has the tip with its id from the server, the vote, and not what was removed', () => {
    rememberOpened('sam', {
      ...place('green', 2),
      tips: [SAMPLE_TIP, { ...SAMPLE_TIP, id: 'old' }],
    });
    const { is_helpful: _, ...added } = { ...SAMPLE_TIP, id: 'new', creator_user_id: 'sam' };
    const fields = { title: 'Shade', content: 'Oaks.' };
    const body = { location_id: 'green', ...fields };
    accepted({ name: 'locations.addTip', input: { body } }, { tip: added });
    accepted({ name: 'locations.addTip', input: { body } }, { tip: added });
    accepted({
      name: 'locations.voteForTip',
      input: { params: { id: 'tip' }, body: { is_helpful: true } },
    });
    accepted({ name: 'locations.removeTip', input: { params: { id: 'old' } } });
    accepted({ name: 'locations.removePhoto', input: { params: { id: 'photo' } } });
    expect(opened()?.tips).toEqual([
      { ...added, is_helpful: false },
      { ...SAMPLE_TIP, is_helpful: true, is_helpful_count: 4 },
    ]);
    expect(opened()?.photos).toEqual([]);
  });

  test('has the photo that was uploaded, first', () => {
    rememberOpened('sam', place('green'));
    const photo = { ...place('green').photos[0]!, id: 'new' };
    addPhoto('sam', 'green', photo);
    addPhoto('sam', 'green', photo);
    expect(opened()?.photos.map(({ id }) => id)).toEqual(['new', 'photo']);
  });

  test('is changed on any screen when the outbox has sent a call, but not by a refused one', async () => {
    const Member = () => {
      useOpenedPlaces();
      return null;
    };
    const { pass } = await renderScreen(<Member />);
    rememberOpened('sam', place('green'));
    const rate = (rating: number) => ({
      name: 'locations.rate',
      input: { params, body: { rating } },
    });
    outbox.report({ call: rate(2), answer: {}, refusal: new Error('No') });
    await pass(0);
    expect(opened()?.own_rating).toBe(4);
    outbox.report({ call: rate(2), answer: {}, refusal: null });
    await vi.waitFor(() => expect(opened()?.own_rating).toBe(2));
  });

  test('is not stored if it was never opened', () => {
    accepted({ name: 'locations.rate', input: { params, body: { rating: 2 } } });
    expect(opened()).toBeNull();
  });
});
