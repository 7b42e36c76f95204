import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import type { Ad } from '#shared/ads/contract.ts';
import { EmptySlot } from './empty-slot.tsx';

/** Each kind of slot has its height before anything is known of its ad, so that nothing ever moves; but see `fallback`. */
export const SLOT_HEIGHTS = { banner: 'h-18', inline: 'h-28', sidebar: 'h-40' } as const;

export interface SlotProps {
  placement: keyof typeof SLOT_HEIGHTS;
  /**
   * Stands in the slot when there is no ad, or none to be had. A slot without it is the last thing on its screen and has room
   * from when its ad is there, or it failed: room that went again there would move all that is above it under a finger.
   */
  fallback?: ReactNode;
  /** How a click gets to the server; by default at once, or not at all. */
  sendClick?: (ad: Ad) => Promise<void>;
}

// Named as no ad blocker expects it. One that blocks it all the same costs the ad, never the screen.
const SlotContent = lazy(() =>
  import('./slot-content.tsx').catch(() => ({
    default: ({ height, fallback }: SlotProps & { height: string }) =>
      fallback ? <EmptySlot height={height}>{fallback}</EmptySlot> : null,
  })),
);

/** A place for an ad, of a fixed height; whoever never comes near it loads nothing for it. */
export function Slot(props: SlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  const height = SLOT_HEIGHTS[props.placement];
  const hasRoom = Boolean(props.fallback);
  useEffect(() => {
    if (!place.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setNear(true);
      },
      // What has no room yet is to be there before somebody is at the end.
      { rootMargin: hasRoom ? '100px' : '600px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [hasRoom]);
  const empty = hasRoom && <EmptySlot height={height} />;
  return isNear ? (
    <Suspense fallback={empty}>
      <SlotContent {...props} height={height} />
    </Suspense>
  ) : (
    <div ref={place}>{empty}</div>
  );
}
