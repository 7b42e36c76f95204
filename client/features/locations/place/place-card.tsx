import { ChevronDown, ChevronUp, Clock, Lock, Star } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Place } from '#shared/place.ts';
import { useUnits } from '../../settings/use-units.ts';
import { isAt } from '../is-at.ts';
import type { ShownPlace } from '../optimistic-places.ts';
import { FEATURES, LOCATION_KINDS } from '../place-types.ts';
import { PlaceActions } from '../search/place-actions.tsx';
import { PlacePicture } from '../search/place-picture.tsx';

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`;

/** A place in the list; shows its children if chosen. */
export function PlaceCard({
  place,
  here,
  isChosen,
  isVisited,
  onChoose,
  onVisit,
  onAddTip,
  children,
}: {
  place: ShownPlace;
  here: Place | null;
  isChosen: boolean;
  /** Whether the user was there today. */
  isVisited: boolean;
  onChoose: () => void;
  /** Records a visit, or takes today's back. */
  onVisit: () => void;
  onAddTip: () => void;
  children: ReactNode;
}) {
  const units = useUnits();
  const { name: kind } = LOCATION_KINDS[place.location_type];
  // By a link without a position, one looks from the place itself.
  const isFromItself = here === null && place.distance_miles === 0;
  const facts = isFromItself ? [kind] : [kind, units.far(place.distance_miles)];
  const features = FEATURES.filter(({ field }) => place[field]);
  const Chevron = isChosen ? ChevronUp : ChevronDown;
  return (
    <li
      id={`place-${place.id}`}
      className={`flex flex-col gap-3 rounded-card border bg-surface p-4 shadow-lift ${isChosen ? 'col-span-full border-accent' : 'border-line'}`}
    >
      <h3>
        <button
          type="button"
          aria-expanded={isChosen}
          onClick={onChoose}
          className="-m-2 flex w-[calc(100%+1rem)] items-start gap-3 rounded-control p-2 text-left hover:bg-sunken"
        >
          <PlacePicture place={place} className={place.image_key ? 'size-16' : 'size-11'} />
          <span className="min-w-0 flex-1">
            <span className="block text-lg leading-snug font-bold break-words">{place.name}</span>
            <span className="flex flex-wrap gap-x-2.5 text-sm text-soft">
              <span>{facts.join(' · ')}</span>
              {isAt(place, here) && <span className="font-bold text-accent">You are here</span>}
            </span>
          </span>
          <Chevron aria-hidden className="mt-1 size-5 shrink-0 text-soft" />
        </button>
      </h3>
      {(place.isWaiting || !place.is_public) && (
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
      )}
      {place.description && (
        <p className={`break-words ${isChosen ? 'whitespace-pre-line' : 'line-clamp-2'}`}>
          {place.description}
        </p>
      )}
      {isChosen && place.address && <p className="text-sm break-words">{place.address}</p>}
      {isChosen && place.opening_hours && (
        <p className="text-sm break-words">Hours: {place.opening_hours}</p>
      )}
      {features.length > 0 && (
        <ul aria-label="Features" className="flex flex-wrap gap-1.5">
          {features.map(({ field, name, Icon: Badge }) => (
            <li
              key={field}
              className="inline-flex items-center gap-1.5 rounded-full bg-sunken px-2.5 py-1 text-sm font-bold"
            >
              <Badge aria-hidden className="size-4" />
              {name}
            </li>
          ))}
        </ul>
      )}
      <Counts place={place} />
      {place.isNew ? (
        <p className="text-sm text-soft">
          Saved on this device. Others can find it once you’re online.
        </p>
      ) : (
        <PlaceActions place={place} isVisited={isVisited} onVisit={onVisit} onAddTip={onAddTip} />
      )}
      {isChosen && children}
    </li>
  );
}

/** What others did there; nothing of a place that is new. */
function Counts({ place: { visit_count, average_rating, tip_count } }: { place: ShownPlace }) {
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
