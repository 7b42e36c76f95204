import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { CircleCheck, CircleDollarSign, Flag, Hourglass, Megaphone, Users } from 'lucide-react';
import { advertiserAnalytics } from '#shared/advertisers/admin-contract.ts';
import { dollars } from '#shared/money.ts';
import { DayChart } from '../../../platform/admin/day-chart.tsx';
import { StatCards } from '../../../platform/admin/stat-cards.tsx';
import { call } from '../../../platform/http/api.ts';
import { RetryBanner } from '../../../platform/ui/feedback/retry-banner.tsx';
import { Skeleton } from '../../../platform/ui/feedback/skeleton.tsx';
import { Card } from '../../../platform/ui/layout/card.tsx';
import { Time } from '../../../platform/ui/layout/time.tsx';
import { PaymentStatus } from '../../payments/payment-status.tsx';
import { amountWords } from '../format-amount.ts';

/** Advertising stats, the revenue of the last thirty days, and recent payments. */
export function AdminOverview() {
  const asked = useQuery({
    queryKey: ['admin', 'advertisers', 'overview'],
    queryFn: () => call(advertiserAnalytics),
    placeholderData: keepPreviousData,
  });
  const { data, error } = asked;
  const stats = data?.stats;
  return (
    <>
      {error && <RetryBanner title={advertiserAnalytics.failure} asked={asked} />}
      <StatCards
        label="Advertising stats"
        stats={[
          {
            name: 'Total revenue',
            value: stats && dollars(stats.total_revenue_cents),
            Icon: CircleDollarSign,
          },
          { name: 'Advertisers', value: stats?.total_advertisers, Icon: Users },
          { name: 'Active ads', value: stats?.active_advertisements, Icon: Megaphone },
          { name: 'Completed ads', value: stats?.completed_advertisements, Icon: Flag },
          { name: 'Successful payments', value: stats?.successful_payments, Icon: CircleCheck },
          { name: 'Pending payments', value: stats?.pending_payments, Icon: Hourglass },
        ]}
      />
      <Card title="Revenue by day">
        {data ? (
          <DayChart
            name="Revenue"
            days={data.revenueByDay.map(({ date, revenue_cents }) => ({
              date,
              value: revenue_cents,
            }))}
            format={dollars}
          />
        ) : (
          !error && <Skeleton label="Loading revenue…" lines={3} asked={asked} />
        )}
      </Card>
      <Card title="Recent payments">
        {data?.recentPayments.length === 0 && <p className="text-soft">No payments yet</p>}
        <ul className="divide-y divide-line">
          {data?.recentPayments.map((payment) => (
            <li key={payment.id} className="flex items-start justify-between gap-3 py-2.5">
              <div className="min-w-0">
                <p className="font-bold break-words">{payment.company_name || 'Deleted'}</p>
                <p className="text-sm break-words text-soft">
                  {payment.advertisement_title}, <Time at={payment.created_at} />
                </p>
              </div>
              <div className="flex shrink-0 flex-col items-end gap-1">
                <span className="font-bold tabular-nums">{amountWords(payment)}</span>
                <PaymentStatus status={payment.payment_status} state={payment.provider_state} />
              </div>
            </li>
          ))}
        </ul>
      </Card>
    </>
  );
}
