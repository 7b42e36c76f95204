import { metersBetween, type Place } from '#shared/place.ts';
import { RADIUS_METERS } from '#shared/proximity/rules.ts';

/** Whether a position is at a place, within the encounter radius. */
export const isAt = (place: Place, here: Place | null): boolean =>
  here !== null && metersBetween(place, here) <= RADIUS_METERS;
