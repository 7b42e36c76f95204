import { Check, Footprints, MessageSquarePlus, Navigation } from 'lucide-react';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import type { ShownPlace } from '../optimistic-places.ts';
import { directionsTo } from '../place/maps-link.ts';

/** The way there, a visit and a tip: in this order wherever a place is shown. */
export function PlaceActions({
  place,
  isVisited,
  onVisit,
  onAddTip,
}: {
  place: ShownPlace;
  /** Whether the user was there today. */
  isVisited: boolean;
  /** Records a visit, or takes today's back. */
  onVisit: () => void;
  onAddTip: () => void;
}) {
  return (
    <div className="grid grid-cols-3 gap-2 max-sm:[&_svg]:hidden">
      <a
        href={directionsTo(place)}
        target="_blank"
        rel="noopener noreferrer"
        className="inline-flex min-h-12 min-w-0 items-center justify-center gap-2 rounded-control border border-line-strong px-1 text-center font-bold hover:bg-sunken"
      >
        <Navigation aria-hidden className="size-5 shrink-0" />
        <span className="min-w-0 break-words">
          Directions<span className="sr-only"> to {place.name}, opens in a new tab</span>
        </span>
      </a>
      <Button
        look="secondary"
        onClick={onVisit}
        aria-label={isVisited ? `Visited ${place.name} today, undo` : `Visit ${place.name}`}
        aria-pressed={isVisited}
        Icon={isVisited ? Check : Footprints}
        className="px-1!"
      >
        {isVisited ? 'Visited' : 'Visit'}
      </Button>
      <Button
        look="secondary"
        onClick={onAddTip}
        aria-label={`Add Tip for ${place.name}`}
        Icon={MessageSquarePlus}
        className="px-1!"
      >
        Add Tip
      </Button>
    </div>
  );
}
