import { metersBetween, type Place } from '#shared/place.ts';
import { isQuiet, type QuietPlace } from '#shared/settings/rules.ts';

/** Degrees to about a meter, and seconds since the start of the walk. */
export type RoutePoint = [latitude: number, longitude: number, seconds: number];
export type Route = RoutePoint[];

/** About an hour and a half of walking; of a longer walk, every second point is dropped. */
export const ROUTE_POINTS_MAX = 1_000;
const STEP_METERS = 8;
const DECIMALS = 5;
/** Between two points that are farther apart in time, nothing is known: a pause, or a quiet place. */
const GAP_SECONDS = 90;

const placeOfPoint = ([latitude, longitude]: RoutePoint): Place => ({ latitude, longitude });

const rounded = (degrees: number): number => Number(degrees.toFixed(DECIMALS));

/** Adds where the owner is, unless they have hardly moved. @param seconds since the start */
export function withPoint(route: Route, { latitude, longitude }: Place, seconds: number): Route {
  const last = route.at(-1);
  if (last && metersBetween(placeOfPoint(last), { latitude, longitude }) < STEP_METERS)
    return route;
  const kept = route.length < ROUTE_POINTS_MAX ? route : route.filter((_, at) => at % 2 === 0);
  return [...kept, [rounded(latitude), rounded(longitude), Math.round(seconds)]];
}

/**
 * Returns the parts of a route that are shown: without quiet places, also those that were set up after the walk, and without a line across
 * what isn't known.
 */
export function partsOf(route: Route, quietPlaces: readonly QuietPlace[]): Route[] {
  const parts: Route[] = [];
  let part: Route = [];
  const finish = () => {
    if (part.length > 1) parts.push(part);
    part = [];
  };
  for (const point of route) {
    if (isQuiet({ ...placeOfPoint(point), accuracy: 0 }, quietPlaces)) {
      finish();
      continue;
    }
    const last = part.at(-1);
    // Dropped points leave longer steps in long routes.
    const gap = GAP_SECONDS * (route.length > ROUTE_POINTS_MAX / 2 ? 2 : 1);
    if (last && point[2] - last[2] > gap) finish();
    part.push(point);
  }
  finish();
  return parts;
}
