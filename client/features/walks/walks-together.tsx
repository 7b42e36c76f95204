import { Footprints } from 'lucide-react';
import { formatDate } from '#shared/dates.ts';
import { useWalks } from './use-walks.ts';

/** How often the user walked with somebody, and when last, by the walks on this device; as one of the facts. */
export function WalksTogether({ userId }: { userId: string }) {
  const times = (useWalks() ?? []).flatMap(({ met }) =>
    met.filter((each) => each.user_id === userId && each.isCompanion).map(({ at }) => at),
  );
  const last = Math.max(...times);
  if (times.length === 0) return null;
  return (
    <li>
      <Footprints aria-hidden className="size-4 shrink-0" />
      <span>{times.length === 1 ? '1 walk together' : `${times.length} walks together`}</span>
      <span>, last on {formatDate(last)}</span>
    </li>
  );
}
