import { Footprints } from 'lucide-react';

/** What stands among the dashboard's cards when nobody has booked the place. */
export function WalkingTip() {
  return (
    <span className="flex items-center gap-3 text-left">
      <Footprints aria-hidden className="size-5 shrink-0" />
      Give way before the corner, not after it: a wide arc keeps both dogs calm.
    </span>
  );
}
