import { formatUtcDay } from '#shared/dates.ts';
import { Summary } from '../ui/layout/summary.tsx';
import { numberWords } from './format.ts';

interface Day {
  /** In UTC, such as 2026-11-25. */
  date: string;
  /** Null: not counted on that day. */
  value: number | null;
}

const WIDTH = 600;
const HEIGHT = 160;
const GAP = 4;
const NOT_COUNTED = 'Not counted';

/**
 * A number by day, as a bar chart and a table.
 * @param name what is counted, such as 'Revenue'
 * @param summary whether the caption has the sum of the days or their maximum
 */
export function DayChart({
  name,
  days,
  format = numberWords,
  summary = 'sum',
  comparison = null,
}: {
  name: string;
  days: readonly Day[];
  format?: (value: number) => string;
  summary?: 'sum' | 'maximum';
  /** With the days before, in words. */
  comparison?: string | null;
}) {
  const values = days.flatMap(({ value }) => (value === null ? [] : [value]));
  const most = Math.max(0, ...values);
  const total = values.reduce((sum, value) => sum + value, 0);
  const [first, last] = [days.at(0), days.at(-1)];
  if (!first || !last) return null;
  const step = WIDTH / days.length;
  const valueWords = ({ value }: Day) => (value === null ? NOT_COUNTED : format(value));
  const shown = summary === 'sum' ? format(total) : `At most ${format(most)}`;
  const words = `${shown} from ${formatUtcDay(first.date)} to ${formatUtcDay(last.date)}`;
  return (
    <figure className="flex flex-col gap-2">
      <figcaption className="font-bold tabular-nums">
        <span>{words}</span>
        <span className="font-normal text-soft">, dates in UTC</span>
        {comparison && <span className="block font-normal text-soft">{comparison}</span>}
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${name}: ${words}. The table below has each day.`}
        preserveAspectRatio="none"
        className={`w-full text-accent ${most > 0 ? 'h-40' : 'h-4'}`}
      >
        <line
          x1="0"
          x2={WIDTH}
          y1={HEIGHT - 0.5}
          y2={HEIGHT - 0.5}
          className="stroke-line-strong"
          vectorEffect="non-scaling-stroke"
        />
        {days.map((day, index) => {
          const height = most > 0 ? ((day.value ?? 0) / most) * (HEIGHT - 10) : 0;
          return (
            <rect
              key={day.date}
              x={index * step + GAP / 2}
              y={HEIGHT - height}
              width={step - GAP}
              height={height}
              fill="currentColor"
            >
              <title>{`${formatUtcDay(day.date)}: ${valueWords(day)}`}</title>
            </rect>
          );
        })}
      </svg>
      <div aria-hidden className="flex justify-between text-sm text-soft">
        <span>{formatUtcDay(first.date)}</span>
        <span>{most > 0 ? `Highest: ${format(most)}` : 'Nothing yet'}</span>
        <span>{formatUtcDay(last.date)}</span>
      </div>
      <details>
        <Summary>
          Show as a table<span className="sr-only">: {name} by day</span>
        </Summary>
        <table className="w-full text-left">
          <caption className="sr-only">{name} by day</caption>
          <thead className="text-sm text-soft">
            <tr>
              <th scope="col" className="py-1 font-bold">
                Day
              </th>
              <th scope="col" className="py-1 text-right font-bold">
                {name}
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {days.toReversed().map((day) => (
              <tr key={day.date}>
                <th scope="row" className="py-1 font-normal">
                  {formatUtcDay(day.date)}
                </th>
                <td className="py-1 text-right tabular-nums">{valueWords(day)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
