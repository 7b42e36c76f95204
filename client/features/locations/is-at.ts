import { VISIT_METERS } from '#shared/locations/rules.ts';
import { metersBetween, type Place } from '#shared/place.ts';
import { RADIUS_METERS } from '#shared/proximity/rules.ts';

/** Whether a position is at a place, within the encounter radius. */
export const isAt = (place: Place, here: Place | null): boolean =>
  here !== null && metersBetween(place, here) <= RADIUS_METERS;

/** Whether a position is too far from a place for a visit. */
export const isAwayFrom = (place: Place, here: Place | null): boolean =>
  here !== null && metersBetween(place, here) > VISIT_METERS;
