import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { EmptySlot } from './empty-slot.tsx';
import { SLOT_HEIGHTS, type SlotProps } from './slot-props.ts';

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
