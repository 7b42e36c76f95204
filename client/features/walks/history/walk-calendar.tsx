import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { formatMonth, formatWeekdayDate } from '#shared/dates.ts';
import { IconButton } from '../../../platform/ui/buttons/icon-button.tsx';
import { Card } from '../../../platform/ui/layout/card.tsx';
import { formatWalks } from '../format.ts';
import type { Walk } from '../walk.ts';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** The midnight before a time, in local time. */
export const dayOf = (time: number): number => new Date(time).setHours(0, 0, 0, 0);

/** Returns the days of a month in weeks from Monday; null outside of it. */
export function monthDays(year: number, month: number): (number | null)[] {
  const first = new Date(year, month, 1);
  const before = (first.getDay() + 6) % 7;
  const count = new Date(year, month + 1, 0).getDate();
  return [
    ...Array.from({ length: before }, () => null),
    ...Array.from({ length: count }, (_, at) => new Date(year, month, at + 1).getTime()),
  ];
}

/** The days of a month on which there were walks. A tap on one shows its walks. */
export function WalkCalendar({
  walks,
  now,
  chosen,
  onChoose,
}: {
  walks: readonly Walk[];
  now: number;
  /** A day, by its midnight. */
  chosen: number | null;
  onChoose: (day: number | null) => void;
}) {
  const [back, setBack] = useState(0);
  const today = new Date(now);
  const shown = new Date(today.getFullYear(), today.getMonth() - back, 1);
  const counts = new Map<number, number>();
  for (const { startedAt } of walks) {
    const day = dayOf(startedAt);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  const first = Math.min(now, ...walks.map(({ startedAt }) => startedAt));
  return (
    <Card title="Calendar">
      <div className="mb-2 flex items-center justify-between">
        <IconButton
          Icon={ChevronLeft}
          label="Earlier month"
          disabled={shown.getTime() <= first}
          onClick={() => setBack(back + 1)}
        />
        <p role="status" className="font-bold">
          {formatMonth(shown)}
        </p>
        <IconButton
          Icon={ChevronRight}
          label="Later month"
          disabled={back === 0}
          onClick={() => setBack(back - 1)}
        />
      </div>
      <div className="grid grid-cols-7 gap-1 text-center">
        {WEEKDAYS.map((day) => (
          <span key={day} aria-hidden className="text-xs text-soft">
            {day}
          </span>
        ))}
        {monthDays(shown.getFullYear(), shown.getMonth()).map((day, at) => {
          const count = day === null ? 0 : (counts.get(day) ?? 0);
          const date = day === null ? '' : new Date(day).getDate();
          if (day === null || count === 0)
            return (
              <span key={at} className="flex min-h-11 items-center justify-center text-soft">
                {date}
              </span>
            );
          const isChosen = day === chosen;
          return (
            <button
              key={at}
              type="button"
              aria-pressed={isChosen}
              aria-label={`${formatWeekdayDate(day)}: ${formatWalks(count)}`}
              onClick={() => onChoose(isChosen ? null : day)}
              className={`flex min-h-11 items-center justify-center rounded-full font-bold ${isChosen ? 'bg-accent text-on-accent' : 'bg-accent-soft text-ink'}`}
            >
              {date}
            </button>
          );
        })}
      </div>
    </Card>
  );
}
