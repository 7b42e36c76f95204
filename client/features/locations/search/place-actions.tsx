import { Check, Footprints, MessageSquarePlus } from 'lucide-react';
import { Button } from '../../../platform/ui/buttons/button.tsx';
import type { ShownPlace } from '../optimistic-places.ts';
import { DirectionsLink } from './directions-link.tsx';

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
      <DirectionsLink to={place} className="min-h-12 px-1" />
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
