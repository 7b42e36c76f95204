import { metersBetween, type Place } from '#shared/place.ts';
import { RADIUS_METERS } from '#shared/proximity/rules.ts';

/** Whether somebody stands at a place: as near as people who meet. */
export const isAt = (place: Place, here: Place | null): boolean =>
  here !== null && metersBetween(place, here) <= RADIUS_METERS;
