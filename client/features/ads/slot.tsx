import { useEffect, useRef, useState } from 'react';
import { optionalComponent } from '../../platform/lazy/lazy-component.tsx';
import { EmptySlot } from './empty-slot.tsx';
import { SLOT_HEIGHTS, type SlotProps } from './slot-props.ts';

// Named to avoid ad blockers. If the chunk is blocked anyway, only the ad is missing.
const SlotContent = optionalComponent(
  () => import('./slot-content.tsx'),
  ({ height, fallback }) =>
    fallback !== undefined && <EmptySlot height={height}>{fallback}</EmptySlot>,
);

/** A slot for an ad, with a fixed height; loads nothing until it is near the visible area. */
export function Slot(props: SlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(false);
  const height = SLOT_HEIGHTS[props.placement];
  const hasRoom = props.fallback !== undefined;
  useEffect(() => {
    if (!place.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setNear(true);
      },
      // A slot without reserved space must be ready before the user reaches the end.
      { rootMargin: hasRoom ? '0px' : '600px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [hasRoom]);
  const empty = hasRoom && <EmptySlot height={height}>{props.fallback}</EmptySlot>;
  return isNear ? <SlotContent {...props} height={height} /> : <div ref={place}>{empty}</div>;
}
