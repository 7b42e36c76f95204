import type { TimedAd } from '#shared/advertisers/dashboard-contract.ts';
import { formatUtcDay } from '#shared/dates.ts';
import { dollars } from '#shared/money.ts';
import { StatTiles } from '../../../platform/ui/layout/stat-tiles.tsx';
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
  return (
    <StatTiles
      label={label}
      stats={[
        { name: 'Impressions', value: number.format(impressions) },
        { name: 'Clicks', value: number.format(clicks) },
        { name: 'Click rate', value: rateWords(impressions, clicks) },
        { name: 'Spend', value: dollars(cents) },
      ]}
    />
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
