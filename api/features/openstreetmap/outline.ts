import type { Place } from '#shared/place.ts';

/** `closed`: around an area; `line`: a path; `parts`: points of several ways in no order. */
export type Outline = 'closed' | 'line' | 'parts';

/** In degrees. */
export interface Bounds {
  south: number;
  north: number;
  west: number;
  east: number;
}

function boundsOf(points: readonly Place[]): Bounds {
  const latitudes = points.map(({ latitude }) => latitude);
  const longitudes = points.map(({ longitude }) => longitude);
  return {
    south: Math.min(...latitudes),
    north: Math.max(...latitudes),
    west: Math.min(...longitudes),
    east: Math.max(...longitudes),
  };
}

/** The center of a polygon's area, in degrees; null for one without an area. */
function centroid(points: readonly Place[]): Place | null {
  let [area, latitude, longitude] = [0, 0, 0];
  const [origin] = points as [Place];
  for (const [at, a] of points.entries()) {
    const b = points[(at + 1) % points.length] as Place;
    // Relative to a corner: the products of full degrees would lose the digits that matter.
    const [x1, y1] = [a.longitude - origin.longitude, a.latitude - origin.latitude];
    const [x2, y2] = [b.longitude - origin.longitude, b.latitude - origin.latitude];
    const cross = x1 * y2 - x2 * y1;
    area += cross;
    longitude += (x1 + x2) * cross;
    latitude += (y1 + y2) * cross;
  }
  if (Math.abs(area) < 1e-14) return null;
  return {
    latitude: origin.latitude + latitude / (3 * area),
    longitude: origin.longitude + longitude / (3 * area),
  };
}

function isInside({ latitude, longitude }: Place, points: readonly Place[]): boolean {
  let inside = false;
  for (const [at, a] of points.entries()) {
    const b = points[(at + 1) % points.length] as Place;
    if (a.latitude > latitude === b.latitude > latitude) continue;
    const crossing =
      a.longitude +
      ((latitude - a.latitude) * (b.longitude - a.longitude)) / (b.latitude - a.latitude);
    if (longitude < crossing) inside = !inside;
  }
  return inside;
}

const meanOf = (points: readonly Place[]): Place => ({
  latitude: points.reduce((sum, point) => sum + point.latitude, 0) / points.length,
  longitude: points.reduce((sum, point) => sum + point.longitude, 0) / points.length,
});

/** Degrees of longitude count as much as those of latitude: it only chooses among near points. */
const nearest = (points: readonly Place[], to: Place): Place =>
  points.reduce((best, point) => {
    const away = ({ latitude, longitude }: Place) =>
      (latitude - to.latitude) ** 2 + (longitude - to.longitude) ** 2;
    return away(point) < away(best) ? point : best;
  });

/**
 * Returns a point of an outline at which somebody can arrive: the center of an area if that lies in it, otherwise a point of the outline.
 * @returns null without points, or across the 180th meridian, where degrees can't be averaged
 */
export function middleOf(
  points: readonly Place[],
  outline: Outline,
): { middle: Place; bounds: Bounds } | null {
  if (points.length === 0) return null;
  const bounds = boundsOf(points);
  if (bounds.east - bounds.west > 180) return null;
  if (outline === 'line')
    return { middle: points[Math.floor((points.length - 1) / 2)] as Place, bounds };
  const center = (outline === 'closed' && centroid(points)) || meanOf(points);
  const isIn = outline === 'closed' && isInside(center, points);
  return { middle: isIn ? center : nearest(points, center), bounds };
}
