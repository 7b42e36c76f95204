import { METERS_PER_DEGREE, type Place } from '#shared/place.ts';
import type { StoredTip } from '../../api/features/locations/collections.ts';
import { type Random, randomFrom } from '../simulation.ts';

export const PLACES = 1_000_000;
/** A country of 1,000 km: about two hundred places within ten miles of anywhere. */
const SIDE_METERS = 1_000_000;

export const idOf = (index: number): string => `place-${index}`;

/** Returns the position of a place, which is always the same. */
export function placeAt(index: number): Place {
  const random = randomFrom(index);
  return {
    latitude: 30 + (random.uniform() * SIDE_METERS) / METERS_PER_DEGREE,
    longitude: -100 + (random.uniform() * SIDE_METERS) / METERS_PER_DEGREE,
  };
}

/** The position of a search. */
export const someSearch = (random: Random): Place => ({
  latitude: 31 + random.uniform() * 7,
  longitude: -99 + random.uniform() * 7,
});

/** The tips of a place, the most helpful first: none of every other, up to five of the rest. */
export function tipsOf(index: number): StoredTip[] {
  const count = index % 2 === 0 ? 0 : (index % 5) + 1;
  return Array.from({ length: count }, (_, which) => ({
    _id: `${idOf(index)}-tip-${which}`,
    location_id: idOf(index),
    creator_user_id: `owner-${index % 1_000}`,
    tip_type: 'general',
    title: `What to know, part ${which}`,
    content: 'There is shade by the north gate until noon, and water behind the playground.',
    is_helpful_count: 10 - which,
    is_public: true,
    is_active: true,
    created_at: new Date(1_700_000_000_000 + which),
  }));
}
