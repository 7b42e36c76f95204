import { formatUtcDay } from '#shared/dates.ts';
import { dollars } from '#shared/money.ts';

interface Day {
  date: string;
  revenue_cents: number;
}

const WIDTH = 600;
const HEIGHT = 160;
const GAP = 4;

/** Revenue by day, as a chart and a table. */
export function RevenueChart({ days }: { days: readonly Day[] }) {
  const most = Math.max(...days.map((each) => each.revenue_cents));
  const total = days.reduce((sum, each) => sum + each.revenue_cents, 0);
  const [first, last] = [days.at(0), days.at(-1)];
  if (!first || !last) return null;
  const step = WIDTH / days.length;
  const words = `${dollars(total)} from ${formatUtcDay(first.date)} to ${formatUtcDay(last.date)}`;
  return (
    <figure className="flex flex-col gap-2">
      <figcaption className="font-bold tabular-nums">
        {words}
        <span className="font-normal text-soft">, dates in UTC</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${words}. The table below has each day.`}
        preserveAspectRatio="none"
        className="h-40 w-full text-accent"
      >
        <line
          x1="0"
          x2={WIDTH}
          y1={HEIGHT - 0.5}
          y2={HEIGHT - 0.5}
          className="stroke-line-strong"
          vectorEffect="non-scaling-stroke"
        />
        {days.map((each, index) => {
          const height = most > 0 ? (each.revenue_cents / most) * (HEIGHT - 10) : 0;
          return (
            <rect
              key={each.date}
              x={index * step + GAP / 2}
              y={HEIGHT - height}
              width={step - GAP}
              height={height}
              fill="currentColor"
            >
              <title>{`${formatUtcDay(each.date)}: ${dollars(each.revenue_cents)}`}</title>
            </rect>
          );
        })}
      </svg>
      <div aria-hidden className="flex justify-between text-sm text-soft">
        <span>{formatUtcDay(first.date)}</span>
        <span>{most > 0 ? `Highest: ${dollars(most)}` : 'Nothing yet'}</span>
        <span>{formatUtcDay(last.date)}</span>
      </div>
      <details>
        <summary className="flex min-h-11 cursor-pointer items-center font-bold text-accent">
          Show as a table
        </summary>
        <table className="w-full text-left">
          <caption className="sr-only">Revenue by day</caption>
          <thead className="text-sm text-soft">
            <tr>
              <th scope="col" className="py-1 font-bold">
                Day
              </th>
              <th scope="col" className="py-1 text-right font-bold">
                Revenue
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {days.toReversed().map((each) => (
              <tr key={each.date}>
                <th scope="row" className="py-1 font-normal">
                  {formatUtcDay(each.date)}
                </th>
                <td className="py-1 text-right tabular-nums">{dollars(each.revenue_cents)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
