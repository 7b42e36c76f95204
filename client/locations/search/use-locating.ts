import { useCallback, useEffect, useState } from 'react';
import type { Place } from '#shared/place.ts';
import { findPosition, isPositionGranted, PLACES_MESSAGES } from '../../position/find-position.ts';
import { useFindPosition } from '../../position/use-find-position.ts';

/** So old a position still says where somebody is. */
const COUNTS_MS = 120_000;
const EVERY_MS = 60_000;

const isSame = (one: Place, other: Place): boolean =>
  one.latitude === other.latitude && one.longitude === other.longitude;

/**
 * Where this device is, as long as that counts: it is looked for again while the screen is looked at and that asks
 * nobody anything.
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
  /** Looks for it because somebody wants it: why it is not found is their `problem`. */
  const locate = async (): Promise<Place | null> => {
    const place = await find();
    if (place) setHere(place);
    return place;
  };

  useEffect(() => {
    let isOver = false;
    const look = async () => {
      const mayLook = !document.hidden && (await isPositionGranted());
      const place = mayLook ? await findPosition().catch(() => null) : null;
      if (isOver) return;
      if (place) setHere(place);
      else setKnown((before) => (before && Date.now() - before.at < COUNTS_MS ? before : null));
    };
    const lookNow = () => void look();
    lookNow();
    const timer = setInterval(lookNow, EVERY_MS);
    document.addEventListener('visibilitychange', lookNow);
    return () => {
      isOver = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', lookNow);
    };
  }, [setHere]);

  return { here: known?.place ?? null, setHere, locate, isFinding, problem, setProblem };
}
