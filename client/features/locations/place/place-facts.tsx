import { Clock, Lock, Star } from 'lucide-react';
import type { Place } from '#shared/place.ts';
import { useUnits } from '../../settings/use-units.ts';
import { isAt } from '../is-at.ts';
import type { ShownPlace } from '../optimistic-places.ts';
import { FEATURES, LOCATION_KINDS } from '../place-types.ts';

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`;

/** The kind of a place and how far away it is, in a line. */
export function PlaceFacts({ place, here }: { place: ShownPlace; here: Place | null }) {
  const units = useUnits();
  const { name: kind } = LOCATION_KINDS[place.location_type];
  // By a link without a position, one looks from the place itself.
  const isFromItself = here === null && place.distance_miles === 0;
  const facts = isFromItself ? [kind] : [kind, units.far(place.distance_miles)];
  return (
    <span className="flex flex-wrap gap-x-2.5 text-sm text-soft">
      <span>{facts.join(' · ')}</span>
      {isAt(place, here) && <span className="font-bold text-accent">You are here</span>}
    </span>
  );
}

/** That a place isn't sent yet, or that nobody else sees it. */
export function PlaceStates({ place }: { place: ShownPlace }) {
  if (!place.isWaiting && place.is_public) return null;
  return (
    <p className="flex flex-wrap gap-x-4 text-sm font-bold">
      {place.isWaiting && (
        <span className="inline-flex items-center gap-1.5">
          <Clock aria-hidden className="size-4" /> Not sent yet
        </span>
      )}
      {!place.is_public && (
        <span className="inline-flex items-center gap-1.5">
          <Lock aria-hidden className="size-4" /> Only for you
        </span>
      )}
    </p>
  );
}

export function PlaceFeatures({ place }: { place: ShownPlace }) {
  const features = FEATURES.filter(({ field }) => place[field]);
  if (features.length === 0) return null;
  return (
    <ul aria-label="Features" className="flex flex-wrap gap-1.5">
      {features.map(({ field, name, Icon }) => (
        <li
          key={field}
          className="inline-flex items-center gap-1.5 rounded-full bg-sunken px-2.5 py-1 text-sm font-bold"
        >
          <Icon aria-hidden className="size-4" />
          {name}
        </li>
      ))}
    </ul>
  );
}

/** What others did there; nothing of a place that is new. */
export function PlaceCounts({
  place: { visit_count, average_rating, tip_count },
}: {
  place: ShownPlace;
}) {
  if (visit_count === 0 && average_rating === null && tip_count === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-soft tabular-nums">
      {visit_count > 0 && <span>{counted(visit_count, 'visit', 'visits')}</span>}
      {average_rating !== null && (
        <span className="inline-flex items-center gap-1">
          <Star aria-hidden className="size-4" />
          <span>{average_rating.toFixed(1)}</span>
          <span className="sr-only"> of 5 stars</span>
        </span>
      )}
      {tip_count > 0 && <span>{counted(tip_count, 'tip', 'tips')}</span>}
    </p>
  );
}

/** Why there is nothing to do at a place yet. */
export const NEW_PLACE = 'Saved on this device. Others can find it once you’re online.';
