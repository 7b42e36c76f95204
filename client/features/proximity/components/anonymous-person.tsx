import { dogNotesText } from '#shared/dogs/words.ts';
import type { NearbyUser } from '#shared/proximity/contract.ts';
import { LeashBadge } from '../../../platform/ui/layout/leash-badge.tsx';
import { useUnits } from '../../settings/use-units.ts';
import { distanceText } from '../alerts/alert-text.ts';

/** Someone nearby who may not be identified, in the list of people nearby: their dog only. */
export function AnonymousPerson({ user: { distance_feet, dogs } }: { user: NearbyUser }) {
  return (
    <li className="flex flex-col gap-2 py-3 first:pt-0 last:pb-0">
      <div className="flex items-baseline justify-between gap-3">
        <h3 className="font-bold">A dog nearby</h3>
        <p className="text-lg font-bold whitespace-nowrap tabular-nums">
          {distanceText(distance_feet, useUnits())}
        </p>
      </div>
      {dogs.map((dog, index) => (
        <p key={index} className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <LeashBadge type={dog.sound_type} />
          <span className="font-bold">{dogNotesText(dog)}</span>
        </p>
      ))}
    </li>
  );
}
