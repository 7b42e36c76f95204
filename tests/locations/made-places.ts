import { createLocation, type LocationFields } from '#shared/locations/contract.ts';
import type { ReadTip, WalkLocation } from '#shared/locations/schemas.ts';
import type { Place } from '#shared/place.ts';
import type { Call } from '../api.ts';

/** A point so many miles north of another. */
export const north = ({ latitude, longitude }: Place, miles: number): Place => ({
  latitude: latitude + miles / 69.172,
  longitude,
});

/** A tip about the place `green`, by someone who deleted their account. */
export const SAMPLE_TIP: ReadTip = {
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

/** Creates a location of the caller. */
export async function makePlace(
  { call }: { call: Call },
  overrides: Partial<LocationFields> & Place & { name: string; confirm_new?: boolean },
): Promise<WalkLocation> {
  return (await call(createLocation, { body: overrides })).location;
}
