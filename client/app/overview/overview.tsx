import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { AuditEntry } from '#shared/admin/contract.ts';
import { formatDateTime, formatTime } from '#shared/dates.ts';
import { dollars } from '#shared/money.ts';
import { getOverview, type OverviewDay } from '#shared/overview/contract.ts';
import { actWords } from '../../platform/admin/audit-words.ts';
import { DayChart } from '../../platform/admin/day-chart.tsx';
import { call } from '../../platform/http/api.ts';
import { Card } from '../../platform/ui/layout/card.tsx';
import { RetryBanner } from '../../platform/ui/feedback/retry-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { WaitingList } from './waiting-list.tsx';

const EVERY_MS = 60_000;

/** What waits for an admin, what changed lately, and the last thirty days. */
export function Overview() {
  const asked = useQuery({
    queryKey: ['admin', 'overview'],
    queryFn: () => call(getOverview),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: EVERY_MS,
  });
  const { data, error } = asked;
  return (
    <>
      {error && <RetryBanner title={getOverview.failure} asked={asked} />}
      {!data && !error && <Skeleton label="Loading the overview…" lines={8} />}
      {data && (
        <>
          <Card title="Waiting for you">
            <WaitingList waiting={data.waiting} />
          </Card>
          <Card title="Latest changes">
            <Changes entries={data.changes} />
          </Card>
          <Card title="Last 30 days">
            <p className="mb-4 text-soft">
              {data.counted_at
                ? `People, warnings and messages as of ${formatTime(data.counted_at)}.`
                : 'People, warnings and messages aren’t counted yet.'}
            </p>
            <Charts days={data.days} />
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
            <span className="font-bold">{actWords(entry)}</span>
            <span className="min-w-0 text-sm break-words text-soft">
              {entry.admin_email ?? 'Deleted account'}, {formatDateTime(entry.at)}
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

function Charts({ days }: { days: readonly OverviewDay[] }) {
  return (
    <ul className="grid gap-x-8 gap-y-6 md:grid-cols-2">
      {CHARTS.map(({ name, field, hint, ...shown }) => (
        <li key={field} className="flex min-w-0 flex-col justify-end gap-1">
          <h3 className="font-bold">{name}</h3>
          {hint && <p className="text-sm text-soft">{hint}</p>}
          <DayChart
            name={name}
            days={days.map((day) => ({ date: day.date, value: day[field] }))}
            {...shown}
          />
        </li>
      ))}
    </ul>
  );
}
