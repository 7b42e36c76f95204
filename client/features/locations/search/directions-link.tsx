import { Navigation } from 'lucide-react';
import type { Place } from '#shared/place.ts';
import { PLATFORM } from '../../../platform/install/install-event.ts';
import { directionsTo } from '../place/maps-link.ts';

/** Opens the way to a place. */
export function DirectionsLink({
  to,
  className,
}: {
  to: Place & { name: string };
  className: string;
}) {
  const isTab = PLATFORM === 'desktop';
  return (
    <a
      href={directionsTo(to, PLATFORM)}
      // A map app takes over; in a new tab, it would leave an empty one.
      {...(isTab && { target: '_blank', rel: 'noopener noreferrer' })}
      className={`inline-flex min-w-0 items-center justify-center gap-2 rounded-control border border-line-strong text-center font-bold hover:bg-sunken ${className}`}
    >
      <Navigation aria-hidden className="size-5 shrink-0" />
      <span className="min-w-0 break-words">
        <span>Directions</span>
        <span className="sr-only">{` to ${to.name}${isTab ? ', opens in a new tab' : ''}`}</span>
      </span>
    </a>
  );
}
