import { ChevronRight, Footprints } from 'lucide-react';
import { Link } from 'react-router-dom';
import { formatTime, formatWeekdayDate } from '#shared/dates.ts';
import { useUnits } from '../settings/use-units.ts';
import { useNow } from '../../platform/use-now.ts';
import { formatDuration } from './format.ts';
import { useWalks, walkPath } from './use-walks.ts';
import { durationOf } from './walk.ts';

/** The last walk on this device, in two lines; nothing before the first. */
export function LastWalkCard() {
  const units = useUnits();
  const now = useNow();
  const last = useWalks()?.find(({ endedAt }) => endedAt !== null);
  if (!last) return null;
  const facts = [
    formatDuration(durationOf(last, now)),
    units.walked(last.distanceMeters),
    ...(last.metCount > 0 ? [`${last.metCount} met`] : []),
  ];
  return (
    <Link
      to={walkPath(last.id)}
      className="group flex min-h-14 items-center gap-3 rounded-card border border-line bg-surface px-4 py-2 shadow-lift"
    >
      <Footprints aria-hidden className="size-6 shrink-0 text-accent" />
      <span className="min-w-0 flex-1">
        <strong className="block leading-snug underline-offset-4 group-hover:underline">
          Last walk: {formatWeekdayDate(last.startedAt)}, {formatTime(last.startedAt)}
        </strong>
        <span className="block text-sm text-soft">{facts.join(' · ')}</span>
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-soft" />
    </Link>
  );
}
