import { createLocation, type LocationFields } from '#shared/locations/contract.ts';
import type { WalkLocation } from '#shared/locations/schemas.ts';
import type { Place } from '#shared/place.ts';
import type { Call } from '../api.ts';

/** A point so many miles north of another. */
export const north = ({ latitude, longitude }: Place, miles: number): Place => ({
  latitude: latitude + miles / 69.172,
  longitude,
});

/** Creates a location of the caller. */
export async function makePlace(
  { call }: { call: Call },
  overrides: Partial<LocationFields> & Place & { name: string; confirm_new?: boolean },
): Promise<WalkLocation> {
  return (await call(createLocation, { body: overrides })).location;
}
