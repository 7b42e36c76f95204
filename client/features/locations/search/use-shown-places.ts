import { useEffect, useMemo } from 'react';
import { TIPS_SHOWN } from '#shared/locations/rules.ts';
import { type FoundLocation, type ReadLocation } from '#shared/locations/schemas.ts';
import { metersBetween, milesOf, type Place } from '#shared/place.ts';
import { isNotFound } from '../../../platform/http/api-client.ts';
import { useUser } from '../../../platform/session/use-auth.tsx';
import type { WaitingCall } from '../../../platform/sync/outbox/outbox.ts';
import { withWaiting, type ShownPlace } from '../optimistic-places.ts';
import { useWaitingForPlaces } from '../use-pending-places.ts';
import { usePlace } from './use-places.ts';

export interface ShownPlaces {
  places: ShownPlace[];
  /** The chosen place. */
  chosen: ShownPlace | null;
  /** Unsent calls about places. */
  waiting: WaitingCall[];
  /** Set if the place in the address can't be shown. */
  missing: MissingPlace | null;
}

export interface MissingPlace {
  why: 'removed' | 'offline' | 'failed';
  retry: () => void;
}

const photoOf = ({ photos }: ReadLocation): string | null => photos[0]?.image_key ?? null;

const asFound = (place: ReadLocation, from: Place): FoundLocation => ({
  ...place,
  distance_miles: milesOf(metersBetween(place, from)),
  image_key: photoOf(place),
  tips: place.tips.slice(0, TIPS_SHOWN),
});

/**
 * Returns the found places with unsent changes applied. A place in the address that wasn't found comes first; a merged one
 * redirects to its successor.
 */
export function useShownPlaces(
  found: FoundLocation[] | null,
  from: Place | null,
  chosenId: string | null,
  select: (id: string, isQuiet: boolean) => void,
): ShownPlaces {
  const user = useUser();
  const userId = user?.id ?? '';
  const waiting = useWaitingForPlaces();
  const { place, error, isPaused, refetch } = usePlace(chosenId);
  const isRemoved = isNotFound(error);
  const isElsewhere = chosenId !== null && !found?.some(({ id }) => id === chosenId);
  const isMissing = isElsewhere && !place;

  const mergedInto = place && place.id !== chosenId ? place.id : null;
  useEffect(() => {
    if (mergedInto !== null) select(mergedInto, true);
  }, [mergedInto, select]);

  const shown = useMemo(() => {
    const origin = from ?? place ?? { latitude: 0, longitude: 0 };
    const listed = (found ?? [])
      .filter(({ id }) => !isRemoved || id !== chosenId)
      // The search may be older than the photos.
      .map((each) => (each.id === place?.id ? { ...each, image_key: photoOf(place) } : each));
    const isFirst = isElsewhere && place && !isRemoved && place.id === chosenId;
    const all = [...(isFirst ? [asFound(place, origin)] : []), ...listed];
    const places = withWaiting(all, waiting, { userId, from: origin });
    return { places, chosen: places.find(({ id }) => id === chosenId) ?? null, waiting };
  }, [found, place, isElsewhere, isRemoved, from, waiting, userId, chosenId]);

  const why = isRemoved
    ? 'removed'
    : isMissing && isPaused
      ? 'offline'
      : isMissing && error
        ? 'failed'
        : null;
  return { ...shown, missing: why && { why, retry: refetch } };
}
