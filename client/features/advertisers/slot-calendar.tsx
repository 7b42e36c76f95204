import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import type { Placement } from '#shared/ads/contract.ts';
import { listTakenTimes } from '#shared/advertisers/contract.ts';
import { BOOKABLE_DAYS, endOfSlot, SLOT_HOURS } from '#shared/advertisers/rules.ts';
import { formatHour, formatMonth, formatWeekdayDate } from '#shared/dates.ts';
import { DAY_MS, MINUTE_MS } from '#shared/time.ts';
import { call } from '../../platform/http/api.ts';
import { queries } from '../../platform/http/query-client.ts';
import { IconButton } from '../../platform/ui/buttons/icon-button.tsx';
import { RetryBanner } from '../../platform/ui/feedback/retry-banner.tsx';
import { useNow } from '../../platform/use-now.ts';

/** The starts that the calendar offers, as local hours: when owners are out. */
const START_HOURS = [6, 8, 10, 12, 14, 16, 18, 20];
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

interface Taken {
  start: number;
  end: number;
}

const monthOf = (time: Date): Date => new Date(time.getFullYear(), time.getMonth(), 1);
const addMonths = (month: Date, count: number): Date =>
  new Date(month.getFullYear(), month.getMonth() + count, 1);

/** The days of a month in weeks that begin on Sunday; null outside the month. */
export function weeksOf(month: Date): (Date | null)[][] {
  const days = new Date(month.getFullYear(), month.getMonth() + 1, 0).getDate();
  const cells = [
    ...Array.from({ length: month.getDay() }, () => null),
    ...Array.from(
      { length: days },
      (_, day) => new Date(month.getFullYear(), month.getMonth(), day + 1),
    ),
  ];
  return Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (__, day) => cells[week * 7 + day] ?? null),
  );
}

/** The starts of a day in this device's time zone, and whether each is free. */
export function startsOf(
  day: Date,
  taken: readonly Taken[],
  now: number,
): { start: Date; isFree: boolean }[] {
  return START_HOURS.map((hour) => {
    const start = new Date(day.getFullYear(), day.getMonth(), day.getDate(), hour);
    const [from, until] = [start.getTime(), endOfSlot(start, SLOT_HOURS).getTime()];
    const isFree =
      from > now &&
      from <= now + BOOKABLE_DAYS * DAY_MS &&
      !taken.some((slot) => slot.start < until && slot.end > from);
    return { start, isFree };
  });
}

/** Whether the calendar has this start. */
export const isOffered = (start: Date): boolean =>
  START_HOURS.includes(start.getHours()) && start.getMinutes() === 0;

const freeWords = (count: number): string =>
  count === 0 ? 'nothing free' : count === 1 ? '1 start free' : `${count} starts free`;

/** A month in local time: the days with free times of a placement, then the starts of the chosen day. */
export function SlotCalendar({
  placement,
  adId,
  start,
  onPick,
}: {
  placement: Placement;
  /** The ad that is being edited, whose own time counts as free. */
  adId: number | string | undefined;
  /** The chosen start as a `datetime-local` field has it, or ''. */
  start: string;
  onPick: (start: Date) => void;
}) {
  const now = useNow();
  const chosen = new Date(start);
  const isChosen = !Number.isNaN(chosen.getTime());
  const [month, setMonth] = useState(() => monthOf(isChosen ? chosen : new Date(now)));
  const [day, setDay] = useState<Date | null>(isChosen ? chosen : null);
  // The date may be typed into the field beside the calendar.
  const [shown, setShown] = useState(start);
  if (shown !== start) {
    setShown(start);
    if (isChosen) {
      setMonth(monthOf(chosen));
      setDay(chosen);
    }
  }
  const next = addMonths(month, 1);
  const asked = useQuery(
    {
      queryKey: ['advertiser-calendar', placement, adId, month.getTime()],
      queryFn: async ({ signal }) => {
        const query = {
          placement,
          from: month.toISOString(),
          until: next.toISOString(),
          advertisement_id: adId,
        };
        const { taken } = await call(listTakenTimes, { query, signal });
        return taken.map((slot) => ({ start: Date.parse(slot.start), end: Date.parse(slot.end) }));
      },
      staleTime: MINUTE_MS,
      retry: false,
    },
    queries,
  );
  const { data: taken, error } = asked;
  const starts = day && taken ? startsOf(day, taken, now) : [];
  return (
    <section aria-label="Free times" className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <h2 className="font-bold" aria-live="polite">
          {formatMonth(month)}
        </h2>
        <div className="flex">
          <IconButton
            Icon={ChevronLeft}
            label="Earlier month"
            disabled={month.getTime() <= monthOf(new Date(now)).getTime()}
            onClick={() => setMonth(addMonths(month, -1))}
          />
          <IconButton
            Icon={ChevronRight}
            label="Later month"
            disabled={next.getTime() > now + BOOKABLE_DAYS * DAY_MS}
            onClick={() => setMonth(next)}
          />
        </div>
      </div>
      {error && <RetryBanner title={listTakenTimes.failure} asked={asked} />}
      <table aria-busy={!taken} className="w-full table-fixed text-center tabular-nums">
        <caption className="sr-only">Days with free times</caption>
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th key={name} scope="col" className="pb-1 text-sm font-normal text-soft">
                <abbr title={name} className="no-underline">
                  {name.slice(0, 2)}
                </abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((week) => (
            <tr key={week.find((each) => each !== null)?.getTime()}>
              {week.map((each, index) => (
                <td key={WEEKDAYS[index]} className="p-0.5">
                  {each && (
                    <DayButton
                      day={each}
                      free={
                        taken && startsOf(each, taken, now).filter(({ isFree }) => isFree).length
                      }
                      isPressed={day?.toDateString() === each.toDateString()}
                      onPress={() => setDay(each)}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {day && taken && monthOf(day).getTime() === month.getTime() && (
        <fieldset className="flex flex-col gap-1.5">
          <legend className="pb-1.5 text-sm text-soft">
            Starts on {formatWeekdayDate(day)}, in your time zone
          </legend>
          <div className="grid grid-cols-4 gap-1.5">
            {starts.map((each) => (
              <button
                key={each.start.getTime()}
                type="button"
                disabled={!each.isFree}
                aria-pressed={isChosen && chosen.getTime() === each.start.getTime()}
                onClick={() => onPick(each.start)}
                className="min-h-11 rounded-control border border-line-strong bg-surface font-bold disabled:border-line disabled:font-normal disabled:text-soft disabled:line-through aria-pressed:border-2 aria-pressed:border-accent aria-pressed:bg-accent-soft"
              >
                {formatHour(each.start)}
                {!each.isFree && <span className="sr-only"> isn’t free</span>}
              </button>
            ))}
          </div>
        </fieldset>
      )}
    </section>
  );
}

function DayButton({
  day,
  free,
  isPressed,
  onPress,
}: {
  day: Date;
  /** How many of its starts are free; undefined while that loads. */
  free: number | undefined;
  isPressed: boolean;
  onPress: () => void;
}) {
  return (
    <button
      type="button"
      disabled={!free}
      aria-pressed={isPressed}
      aria-label={`${formatWeekdayDate(day)}${free === undefined ? '' : `, ${freeWords(free)}`}`}
      onClick={onPress}
      className="flex min-h-11 w-full flex-col items-center justify-center rounded-control font-bold hover:bg-sunken disabled:font-normal disabled:text-soft disabled:line-through aria-pressed:bg-accent aria-pressed:text-on-accent"
    >
      {day.getDate()}
    </button>
  );
}
