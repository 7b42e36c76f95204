import type { TimedAd } from '#shared/advertisers/dashboard-contract.ts';
import { formatUtcDay } from '#shared/dates.ts';
import { dollars } from '#shared/money.ts';
import { Summary } from '../../../platform/ui/layout/summary.tsx';

const number = new Intl.NumberFormat('en-US');
const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

const rateWords = (impressions: number, clicks: number): string =>
  impressions > 0 ? percent.format(clicks / impressions) : '–';

/** The impressions, clicks, click rate and spend of an ad, or of all. */
export function AdStats({
  label,
  impressions,
  clicks,
  cents,
}: {
  label: string;
  impressions: number;
  clicks: number;
  cents: number;
}) {
  const metrics = [
    ['Impressions', number.format(impressions)],
    ['Clicks', number.format(clicks)],
    ['Click rate', rateWords(impressions, clicks)],
    ['Spend', dollars(cents)],
  ];
  return (
    <dl aria-label={label} className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {metrics.map(([name, value]) => (
        <div
          key={name}
          className="flex flex-col-reverse justify-end rounded-control bg-sunken px-3.5 py-2.5"
        >
          <dt className="text-sm text-soft">{name}</dt>
          <dd className="text-xl font-bold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What each day had, the latest first. */
export function AdDays({ name, days }: { name: string; days: TimedAd['days'] }) {
  if (days.length === 0) return null;
  return (
    <details>
      <Summary>
        Views by day<span className="sr-only"> of {name}</span>
      </Summary>
      <table className="w-full text-right tabular-nums">
        <caption className="sr-only">Views and clicks of {name} by day</caption>
        <thead className="text-sm text-soft">
          <tr>
            <th scope="col" className="py-1 text-left font-bold">
              Day (UTC)
            </th>
            {['Impressions', 'Clicks', 'Click rate'].map((heading) => (
              <th key={heading} scope="col" className="py-1 font-bold">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {days.toReversed().map(({ date, impressions, clicks }) => (
            <tr key={date}>
              <th scope="row" className="py-1 text-left font-normal">
                {formatUtcDay(date)}
              </th>
              <td>{number.format(impressions)}</td>
              <td>{number.format(clicks)}</td>
              <td>{rateWords(impressions, clicks)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
