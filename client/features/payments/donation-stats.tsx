import { CalendarClock, CircleCheck, CircleDollarSign, HandCoins, Scale } from 'lucide-react';
import { dollars } from '#shared/money.ts';
import type { DonationStats } from '#shared/payments/admin-contract.ts';
import {
  decidedDonations,
  rateLevel,
  successRate,
  type RateLevel,
} from '#shared/payments/admin-rules.ts';
import { StatCards } from '../../platform/admin/stat-cards.tsx';

const LEVEL: Record<RateLevel, { word: string; fill: string; badge: string }> = {
  good: { word: 'Good', fill: 'bg-good', badge: 'bg-good text-on-level' },
  fair: { word: 'Fair', fill: 'bg-fair', badge: 'bg-fair text-on-level' },
  poor: { word: 'Poor', fill: 'bg-poor', badge: 'bg-poor text-on-level' },
};

/** With fewer decided donations, the rate says little. */
const FEW = 20;

/** Totals of donations. */
export function DonationStatCards({ stats }: { stats: DonationStats | undefined }) {
  return (
    <StatCards
      label="Donation stats"
      stats={[
        { name: 'Total donations', value: stats?.total_donations, Icon: HandCoins },
        { name: 'Successful', value: stats?.successful_donations, Icon: CircleCheck },
        {
          name: 'Amount of successful ones',
          value: stats && dollars(stats.total_amount_cents),
          Icon: CircleDollarSign,
        },
        {
          name: 'Average donation',
          value: stats && dollars(stats.avg_donation_cents),
          Icon: Scale,
        },
        { name: 'Last 24 hours', value: stats?.donations_last_24h, Icon: CalendarClock },
      ]}
    />
  );
}

/** The success rate of payments. */
export function SuccessRate({ stats }: { stats: DonationStats | undefined }) {
  const rate = stats ? successRate(stats) : null;
  const isFew = stats !== undefined && rate !== null && decidedDonations(stats) < FEW;
  const nothing = stats?.total_donations ? 'No finished payments yet' : 'No donations yet';
  const level = rate === null ? null : LEVEL[rateLevel(rate)];
  // Rounded down: 94.96% is not yet 95.
  const words = rate === null ? null : `${(Math.floor(rate * 10) / 10).toFixed(1)}%`;
  return (
    <section
      aria-label="Payment success rate"
      className="rounded-card border border-line bg-surface p-3.5 shadow-lift"
    >
      <p className="mb-2.5 flex flex-wrap items-center justify-between gap-x-3">
        <span className="font-bold">Payment success rate</span>
        {level ? (
          <span
            className={`rounded-xl px-3 py-0.5 font-bold sm:whitespace-nowrap tabular-nums ${level.badge}`}
          >
            {words} · {level.word}
          </span>
        ) : (
          <span className="text-soft">{stats ? nothing : '–'}</span>
        )}
      </p>
      <div
        role="meter"
        aria-label="Payment success rate"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.floor(rate ?? 0)}
        aria-valuetext={level && words ? `${words}, ${level.word}` : 'None yet'}
        className="h-3 overflow-hidden rounded-full bg-sunken"
      >
        <div
          className={`h-full rounded-full ${level?.fill ?? ''}`}
          style={{ width: `${rate ?? 0}%` }}
        />
      </div>
      <p className="mt-2 text-sm text-soft">
        <span>95% and above is good, 85% and above is fair.</span>
        {isFew && <span> With so few payments, each one changes it a lot.</span>}
      </p>
    </section>
  );
}
