import { dollars } from '#shared/money.ts';

const number = new Intl.NumberFormat('en-US');
const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

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
    ['Click rate', impressions > 0 ? percent.format(clicks / impressions) : '–'],
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
