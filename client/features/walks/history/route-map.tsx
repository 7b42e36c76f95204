import { metersOf } from '#shared/distance.ts';
import { METERS_PER_DEGREE, METERS_PER_MILE, radians } from '#shared/place.ts';
import { useSettings } from '../../settings/use-settings.ts';
import { useUnits } from '../../settings/use-units.ts';
import { partsOf, type Route } from '../route.ts';

const SIZE = { width: 320, height: 200, margin: 18 };
/** A scale bar has one of these lengths, in meters. */
const SCALES = {
  us: [
    ...[100, 200, 500].map(metersOf),
    ...[0.1, 0.2, 0.5, 1, 2, 5].map((miles) => miles * METERS_PER_MILE),
  ],
  metric: [50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000],
};

/** Draws where a walk went, from what this device stores. It loads no map: whoever draws map tiles would learn where it was. */
export function RouteMap({ route }: { route: Route }) {
  const units = useUnits();
  const { quietPlaces } = useSettings();
  // Until they are known, nothing is shown of them.
  const parts = quietPlaces === null ? [] : partsOf(route, quietPlaces);
  const points = parts.flat();
  const [first] = points;
  if (!first) return null;
  const eastward = Math.cos(radians(first[0]));
  const xOf = (longitude: number) => (longitude - first[1]) * METERS_PER_DEGREE * eastward;
  const yOf = (latitude: number) => (first[0] - latitude) * METERS_PER_DEGREE;
  const xs = points.map(([, longitude]) => xOf(longitude));
  const ys = points.map(([latitude]) => yOf(latitude));
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const across = Math.max(Math.max(...xs) - left, 1);
  const down = Math.max(Math.max(...ys) - top, 1);
  const inner = { width: SIZE.width - 2 * SIZE.margin, height: SIZE.height - 2 * SIZE.margin };
  const perMeter = Math.min(inner.width / across, inner.height / down);
  const at = ([latitude, longitude]: Route[number]) => ({
    x: (SIZE.width - across * perMeter) / 2 + (xOf(longitude) - left) * perMeter,
    y: (SIZE.height - down * perMeter) / 2 + (yOf(latitude) - top) * perMeter,
  });
  const lengths = SCALES[units.system];
  const meters =
    lengths.findLast((length) => length * perMeter <= inner.width / 3) ?? lengths[0] ?? 50;
  const [start, end] = [at(first), at(points.at(-1) ?? first)];
  return (
    <figure className="flex flex-col gap-1">
      <svg
        viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
        role="img"
        aria-label="The route of this walk"
        className="max-h-72 w-full rounded-card border border-line bg-sunken"
      >
        {parts.map((part, index) => (
          <polyline
            key={index}
            points={part
              .map((point) => `${at(point).x.toFixed(1)},${at(point).y.toFixed(1)}`)
              .join(' ')}
            fill="none"
            className="stroke-accent"
            strokeWidth="4"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        ))}
        <circle
          cx={start.x}
          cy={start.y}
          r="6"
          className="fill-surface stroke-accent"
          strokeWidth="3"
        />
        <circle
          cx={end.x}
          cy={end.y}
          r="6"
          className="fill-accent stroke-surface"
          strokeWidth="2"
        />
        <line
          x1={SIZE.margin}
          x2={SIZE.margin + meters * perMeter}
          y1={SIZE.height - 6}
          y2={SIZE.height - 6}
          className="stroke-soft"
          strokeWidth="2"
        />
      </svg>
      <figcaption className="text-sm text-soft">
        The bar is {units.walked(meters)}. Drawn on this device; quiet places are left out.
      </figcaption>
    </figure>
  );
}
