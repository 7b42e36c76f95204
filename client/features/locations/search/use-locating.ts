import { useCallback, useEffect, useState } from 'react';
import type { Place } from '#shared/place.ts';
import { MINUTE_MS } from '#shared/time.ts';
import {
  findPosition,
  isPositionGranted,
  PLACES_MESSAGES,
} from '../../../platform/position/find-position.ts';
import { useFindPosition } from '../../../platform/position/use-find-position.ts';

/** Maximum age of a usable position. */
const USABLE_MS = 120_000;
const EVERY_MS = MINUTE_MS;

const isSame = (one: Place, other: Place): boolean =>
  one.latitude === other.latitude && one.longitude === other.longitude;

/**
 * Returns this device's position while it's recent; refreshes it while the page is visible, if that needs no permission
 * prompt.
 */
export function useLocating() {
  const [known, setKnown] = useState<{ place: Place; at: number } | null>(null);

  const setHere = useCallback(
    (place: Place) =>
      setKnown((before) => ({
        place: before && isSame(before.place, place) ? before.place : place,
        at: Date.now(),
      })),
    [],
  );

  const { find, isFinding, problem, setProblem } = useFindPosition({ messages: PLACES_MESSAGES });
  /** Determines the position on request; a failure is shown as `problem`. */
  const locate = async (): Promise<Place | null> => {
    const place = await find();
    if (place) setHere(place);
    return place;
  };

  useEffect(() => {
    let isOver = false;
    const refresh = async () => {
      const mayRefresh = !document.hidden && (await isPositionGranted());
      const place = mayRefresh ? await findPosition().catch(() => null) : null;
      if (isOver) return;
      if (place) setHere(place);
      else setKnown((before) => (before && Date.now() - before.at < USABLE_MS ? before : null));
    };
    const refreshNow = () => void refresh();
    refreshNow();
    const timer = setInterval(refreshNow, EVERY_MS);
    document.addEventListener('visibilitychange', refreshNow);
    return () => {
      isOver = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', refreshNow);
    };
  }, [setHere]);

  return { here: known?.place ?? null, setHere, locate, isFinding, problem, setProblem };
}
