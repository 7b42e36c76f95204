import { CalendarDays, ChevronRight, Clock } from 'lucide-react';
import { Link } from 'react-router-dom';
import { formatTime, formatWeekdayDate } from '#shared/dates.ts';
import { plannedWalkPath } from '#shared/planned-walks/rules.ts';
import { Card } from '../../platform/ui/layout/card.tsx';
import { useNow } from '../../platform/use-now.ts';
import { answerState, nextWalks } from './next-walks.ts';
import { usePlannedWalks } from './use-planned-walks.ts';

/** The next planned walks on the home screen; nothing if there are none. */
export function NextWalksCard() {
  const { walks } = usePlannedWalks();
  const next = nextWalks(walks, useNow());
  if (next.length === 0) return null;
  return (
    <Card title="Planned walks">
      <ul className="flex flex-col divide-y divide-line">
        {next.map((walk) => (
          <li key={walk.id}>
            <Link
              to={plannedWalkPath(walk.id)}
              className="group flex min-h-14 items-center gap-3 py-2"
            >
              <CalendarDays aria-hidden className="size-6 shrink-0 text-accent" />
              <span className="min-w-0 flex-1">
                <strong className="block leading-snug underline-offset-4 group-hover:underline">
                  <time dateTime={walk.starts_at}>
                    {formatWeekdayDate(walk.starts_at)}, {formatTime(walk.starts_at)}
                  </time>
                </strong>
                <span className="line-clamp-1 break-all">{walk.place_name}</span>
                <span className="block text-sm break-words text-soft">{answerState(walk)}</span>
                {walk.isWaiting && (
                  <span className="flex items-center gap-1.5 text-sm font-bold">
                    <Clock aria-hidden className="size-4 shrink-0" /> Not sent yet
                  </span>
                )}
              </span>
              <ChevronRight aria-hidden className="size-5 shrink-0 text-soft" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
