import { dollars } from '#shared/money.ts';

const number = new Intl.NumberFormat('en-US');
const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

/** How an ad, or all of them, did: seen, clicked, the share of it, and what it cost. */
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
  const figures = [
    ['Impressions', number.format(impressions)],
    ['Clicks', number.format(clicks)],
    ['Click rate', impressions > 0 ? percent.format(clicks / impressions) : '–'],
    ['Spend', dollars(cents)],
  ];
  return (
    <dl aria-label={label} className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {figures.map(([name, value]) => (
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
