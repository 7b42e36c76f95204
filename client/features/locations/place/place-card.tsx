import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { Place } from '#shared/place.ts';
import type { ShownPlace } from '../optimistic-places.ts';
import { PlaceActions } from '../search/place-actions.tsx';
import { PlacePicture } from '../search/place-picture.tsx';
import { NEW_PLACE, PlaceCounts, PlaceFacts, PlaceFeatures, PlaceStates } from './place-facts.tsx';

/** A place in the list, which leads to its page. */
export function PlaceCard({
  place,
  here,
  to,
  isChosen,
  isVisited,
  onOpen,
  onVisit,
  onAddTip,
}: {
  place: ShownPlace;
  here: Place | null;
  /** The address of its page. */
  to: string;
  /** Whether it was tapped on the map. */
  isChosen: boolean;
  /** Whether the user was there today. */
  isVisited: boolean;
  onOpen: () => void;
  /** Records a visit, or takes today's back. */
  onVisit: () => void;
  onAddTip: () => void;
}) {
  return (
    <li
      id={`place-${place.id}`}
      className={`flex scroll-my-4 flex-col gap-3 rounded-card border bg-surface p-4 shadow-lift ${isChosen ? 'border-accent outline-1 outline-accent' : 'border-line'}`}
    >
      <h3>
        <Link
          to={to}
          onClick={onOpen}
          className="-m-2 flex w-[calc(100%+1rem)] items-start gap-3 rounded-control p-2 text-left hover:bg-sunken"
        >
          <PlacePicture place={place} className={place.image_key ? 'size-16' : 'size-11'} />
          <span className="min-w-0 flex-1">
            <span className="block text-lg leading-snug font-bold break-words">{place.name}</span>
            <PlaceFacts place={place} here={here} />
          </span>
          <ChevronRight aria-hidden className="mt-1 size-5 shrink-0 text-soft" />
        </Link>
      </h3>
      <PlaceStates place={place} />
      {place.description && <p className="line-clamp-2 break-words">{place.description}</p>}
      <PlaceFeatures place={place} />
      <PlaceCounts place={place} />
      {place.isNew ? (
        <p className="text-sm text-soft">{NEW_PLACE}</p>
      ) : (
        <PlaceActions place={place} isVisited={isVisited} onVisit={onVisit} onAddTip={onAddTip} />
      )}
    </li>
  );
}
