import { Footprints } from 'lucide-react';

/** Shown among the dashboard's cards if the slot isn't booked. */
export function WalkingTip() {
  return (
    <span className="flex items-center gap-3 text-left">
      <Footprints aria-hidden className="size-5 shrink-0" />
      Give way before the corner, not after it: a wide arc keeps both dogs calm.
    </span>
  );
}
