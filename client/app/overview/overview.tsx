import { Link, useSearchParams } from 'react-router-dom';
import type { AuditEntry } from '#shared/admin/contract.ts';
import { formatTime } from '#shared/dates.ts';
import { dollars } from '#shared/money.ts';
import { getOverview, overviewPeriod, type OverviewDay } from '#shared/overview/contract.ts';
import { actWords, subjectWords } from '../../platform/admin/audit-words.ts';
import { DayChart } from '../../platform/admin/day-chart.tsx';
import { RetryBanner } from '../../platform/ui/feedback/retry-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { SelectField } from '../../platform/ui/inputs/select-field.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';
import { EmailText } from '../../platform/ui/layout/email-text.tsx';
import { Time } from '../../platform/ui/layout/time.tsx';
import { useSearchChange } from '../../platform/use-search-change.ts';
import { useOverview } from './use-overview.ts';
import { WaitingList } from './waiting-list.tsx';

/** What waits for an admin, what changed lately, and the last days beside those before. */
export function Overview() {
  const [search] = useSearchParams();
  const change = useSearchChange();
  const { data: period = '30' } = overviewPeriod.safeParse(search.get('days'));
  const asked = useOverview(period);
  const { data, error } = asked;
  return (
    <>
      {error && <RetryBanner title={getOverview.failure} asked={asked} />}
      {!data && !error && <Skeleton label="Loading the overview…" lines={8} asked={asked} />}
      {data && (
        <>
          <Card title="Waiting for you">
            <WaitingList waiting={data.waiting} />
          </Card>
          <Card title="Latest changes">
            <Changes entries={data.changes} />
          </Card>
          <Card
            title={`Last ${period} days`}
            action={
              <SelectField
                label="Period"
                value={period}
                options={overviewPeriod.options.map((value) => ({ value, name: `${value} days` }))}
                onChange={({ target }) => change((address) => address.set('days', target.value))}
              />
            }
          >
            <p className="mb-4 text-soft">
              {data.counted_at
                ? `People, warnings and messages as of ${formatTime(data.counted_at)}.`
                : 'People, warnings and messages aren’t counted yet.'}
            </p>
            <Charts days={data.days} before={data.days_before} />
          </Card>
        </>
      )}
    </>
  );
}

function Changes({ entries }: { entries: readonly AuditEntry[] }) {
  if (entries.length === 0) return <p className="text-soft">No changes yet</p>;
  return (
    <>
      <ul aria-label="Latest changes" className="divide-y divide-line">
        {entries.map((entry) => (
          <li key={entry.id} className="flex flex-wrap justify-between gap-x-4 gap-y-0.5 py-2">
            <span className="font-bold">
              {actWords(entry)}
              {subjectWords(entry) && (
                <span className="font-normal">{`: ${subjectWords(entry)}`}</span>
              )}
            </span>
            <span className="min-w-0 text-sm break-words text-soft">
              <EmailText>{entry.admin_email ?? 'Deleted account'}</EmailText>,{' '}
              <Time at={entry.at} />
            </span>
          </li>
        ))}
      </ul>
      <Link
        to="/admin?tab=audit-log"
        className="mt-2 inline-flex min-h-11 items-center font-bold text-accent underline-offset-4 hover:underline"
      >
        Open the audit log
      </Link>
    </>
  );
}

const CHARTS: readonly {
  name: string;
  field: Exclude<keyof OverviewDay, 'date'>;
  /** What is counted, where the name doesn’t say it. */
  hint?: string;
  format?: (value: number) => string;
  summary?: 'maximum';
}[] = [
  { name: 'New members', field: 'new_members' },
  {
    name: 'Walkers at the same time',
    field: 'peak_walkers',
    hint: 'The most people who shared their location at once, counted every 10 minutes.',
    summary: 'maximum',
  },
  {
    name: 'Warnings',
    field: 'warnings',
    hint: 'Encounters within 100 feet. Both people were warned.',
  },
  { name: 'Messages', field: 'messages' },
  {
    name: 'Donations',
    field: 'donation_cents',
    hint: 'At the access gate, without refunds.',
    format: dollars,
  },
  { name: 'Ad revenue', field: 'ad_revenue_cents', hint: 'Without refunds.', format: dollars },
];

/** The sum or the maximum of a period; null if none of its days was counted. */
function totalOf(values: readonly (number | null)[], summary: 'sum' | 'maximum'): number | null {
  const counted = values.filter((value) => value !== null);
  if (counted.length === 0) return null;
  return summary === 'sum' ? counted.reduce((sum, value) => sum + value, 0) : Math.max(...counted);
}

/** Such as '12% more than the 30 days before'; null without days to compare. */
function comparisonWords(now: number | null, before: number | null, days: number): string | null {
  if (now === null || before === null || (now === 0 && before === 0)) return null;
  const than = `the ${days} days before`;
  if (before === 0) return `None in ${than}`;
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return `As in ${than}`;
  return `${Math.abs(percent)}% ${percent > 0 ? 'more' : 'less'} than in ${than}`;
}

function Charts({
  days,
  before,
}: {
  days: readonly OverviewDay[];
  before: readonly OverviewDay[];
}) {
  return (
    <ul className="grid gap-x-8 gap-y-6 md:grid-cols-2">
      {CHARTS.map(({ name, field, hint, ...shown }) => (
        <li key={field} className="flex min-w-0 flex-col gap-1">
          <h3 className="font-bold">{name}</h3>
          <p className="text-sm text-soft md:min-h-12">{hint}</p>
          <DayChart
            name={name}
            days={days.map((day) => ({ date: day.date, value: day[field] }))}
            comparison={comparisonWords(
              totalOf(
                days.map((day) => day[field]),
                shown.summary ?? 'sum',
              ),
              totalOf(
                before.map((day) => day[field]),
                shown.summary ?? 'sum',
              ),
              days.length,
            )}
            {...shown}
          />
        </li>
      ))}
    </ul>
  );
}
