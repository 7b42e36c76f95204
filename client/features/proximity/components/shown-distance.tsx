import { History } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { DISTANCE_STEP_FEET, RADIUS_FEET } from '#shared/proximity/rules.ts';
import { useMedia } from '../../../platform/ui/layout/use-media.ts';
import { useUnits } from '../../settings/use-units.ts';
import { shortDistance } from '../alerts/alert-text.ts';

const LASTS_MS = 900;

/** Returns a distance on its way from one to a shorter one, in the steps in which distances are known. @param progress 0 to 1 */
export const feetBetween = (from: number, to: number, progress: number): number => {
  const feet = to + (from - to) * (1 - Math.min(1, progress)) ** 2;
  return Math.ceil(feet / DISTANCE_STEP_FEET) * DISTANCE_STEP_FEET;
};

/**
 * Returns a distance that approaches the reported one smoothly. It is never less than that, so a distance that grows is shown at
 * once, as is one beyond the encounter radius, which is a wide band.
 */
function useSmoothFeet(feet: number): number {
  const isStill = useMedia('(prefers-reduced-motion: reduce)');
  const [shown, setShown] = useState(feet);
  const last = useRef(feet);
  useEffect(() => {
    const from = last.current;
    const show = (next: number) => {
      last.current = next;
      setShown(next);
    };
    if (isStill || from <= feet || from > RADIUS_FEET) return show(feet);
    const startedAt = performance.now();
    let frame = 0;
    const step = (now: number) => {
      const progress = (now - startedAt) / LASTS_MS;
      show(feetBetween(from, feet, Math.max(0, progress)));
      if (progress < 1) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    // Frames stop while the page is hidden.
    const end = setTimeout(() => show(feet), 2 * LASTS_MS);
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(end);
    };
  }, [feet, isStill]);
  return Math.max(shown, feet);
}

/**
 * A distance in the owner's units that moves smoothly between reports.
 * @param format short by default
 * @param isOld whether it is from a while ago, which an icon says
 */
export function ShownDistance({
  feet,
  format = shortDistance,
  isOld = false,
}: {
  feet: number;
  format?: typeof shortDistance;
  isOld?: boolean;
}) {
  const units = useUnits();
  const shown = useSmoothFeet(feet);
  return (
    <>
      {isOld && <History aria-hidden className="mr-1 inline size-[0.85em] align-[-0.05em]" />}
      <span aria-hidden>{format(shown, units)}</span>
      <span className="sr-only">{format(feet, units)}</span>
    </>
  );
}
