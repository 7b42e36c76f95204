import { useMemo } from 'react';
import { TIPS_SHOWN, type FoundLocation, type ReadLocation } from '#shared/locations/shapes.ts';
import { metresBetween, milesOf, type Place } from '#shared/place.ts';
import { useUser } from '../session/use-auth.tsx';
import type { WaitingCall } from '../sync/outbox.ts';
import { usePlace } from './use-places.ts';
import { useWaitingForPlaces } from './use-waiting.ts';
import { withWaiting, type ShownPlace } from './waiting-places.ts';

export interface ShownPlaces {
  places: ShownPlace[];
  /** The one that is chosen. */
  chosen: ShownPlace | null;
  /** What this device has still to send about places. */
  waiting: WaitingCall[];
}

const asFound = (place: ReadLocation, from: Place): FoundLocation => ({
  ...place,
  distance_miles: milesOf(metresBetween(place, from)),
  tips: place.tips.slice(0, TIPS_SHOWN),
});

/**
 * What was found as its reader left it on this device. A place that an address leads to and that is not among them comes
 * first.
 */
export function useShownPlaces(
  found: FoundLocation[] | null,
  from: Place | null,
  chosenId: string | null,
): ShownPlaces {
  const user = useUser();
  const userId = user?.id ?? '';
  const waiting = useWaitingForPlaces();
  const isMissing = chosenId !== null && !found?.some(({ id }) => id === chosenId);
  const { place } = usePlace(isMissing ? chosenId : null);

  return useMemo(() => {
    const origin = from ?? place ?? { latitude: 0, longitude: 0 };
    const all = [...(isMissing && place ? [asFound(place, origin)] : []), ...(found ?? [])];
    const places = withWaiting(all, waiting, { userId, from: origin });
    return { places, chosen: places.find(({ id }) => id === chosenId) ?? null, waiting };
  }, [found, place, isMissing, from, waiting, userId, chosenId]);
}
