import { ChevronRight, Footprints } from 'lucide-react';
import { Link } from 'react-router-dom';
import { formatDay, formatTime, formatWeekday } from '#shared/dates.ts';
import { DAY_MS } from '#shared/time.ts';
import { useNow } from '../../platform/use-now.ts';
import { useUnits } from '../settings/use-units.ts';
import { formatDuration } from './format.ts';
import { useWalks, walkPath } from './use-walks.ts';
import { durationOf } from './walk.ts';

const dayOf = (at: number): number => new Date(at).setHours(0, 0, 0, 0);
/** Returns 'today', 'Saturday' within a week, or 'Nov 21'. */
function dayWords(at: number, now: number): string {
  if (dayOf(at) === dayOf(now)) return 'today';
  return now - at < 6 * DAY_MS ? formatWeekday(at) : formatDay(at);
}

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
          Last walk: {dayWords(last.startedAt, now)}, {formatTime(last.startedAt)}
        </strong>
        <span className="block text-sm text-soft">{facts.join(' · ')}</span>
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-soft" />
    </Link>
  );
}
