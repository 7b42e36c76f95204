// @vitest-environment jsdom
import { afterEach, expect, test } from 'vitest';
import type { ReadLocation, ReadTip } from '#shared/locations/schemas.ts';
import { clearCache } from '../../client/local-cache.ts';
import { forgetOpened, openedPlace, rememberOpened } from '../../client/locations/opened-places.ts';

const tip: ReadTip = {
  id: 'tip',
  location_id: 'green',
  creator_user_id: null,
  author_name: null,
  tip_type: 'general',
  title: 'Shade',
  content: 'Oaks.',
  is_helpful_count: 3,
  is_helpful: false,
  is_public: true,
  is_active: true,
  created_at: '2026-11-21T00:00:00.000Z',
};
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
  is_public: true,
  is_active: true,
  visit_count: 0,
  average_rating: null,
  tip_count: tips,
  tips: Array.from({ length: tips }, (_, i) => ({ ...tip, id: `tip ${i}` })),
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

afterEach(() => localStorage.clear());

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
