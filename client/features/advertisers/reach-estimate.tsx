import { useQuery } from '@tanstack/react-query';
import { ChartColumn } from 'lucide-react';
import type { Placement } from '#shared/ads/contract.ts';
import { estimateReach } from '#shared/advertisers/reach-contract.ts';
import { LISTING_DAYS, SLOT_HOURS } from '#shared/advertisers/rules.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { call } from '../../platform/http/api.ts';
import { queries } from '../../platform/http/query-client.ts';

type Ad =
  | { kind: 'timed'; placement: Placement; /** ISO time. */ scheduled_start_at: string }
  | { kind: 'local' };

/** The views that an advertiser can expect before paying, or that there isn't enough data. */
export function ReachEstimate({ ad }: { ad: Ad }) {
  const { data } = useQuery(
    {
      queryKey: ['advertiser-reach', ad],
      queryFn: ({ signal }) => call(estimateReach, { query: ad, signal }),
      staleTime: 10 * MINUTE_MS,
      retry: false,
    },
    queries,
  );
  return (
    <div role="status" className="empty:hidden">
      {data && (
        <p className="flex items-start gap-2">
          <ChartColumn aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
          <span>
            <strong>
              Expected views: {data.views ? rangeWords(data.views) : 'not enough data yet'}
            </strong>
            <span className="block text-sm text-soft">
              {data.views
                ? basisOf(ad)
                : 'We show an estimate once ads here have been seen on 7 days.'}
            </span>
          </span>
        </p>
      )}
    </div>
  );
}

const rangeWords = ({ low, high }: { low: number; high: number }): string =>
  low === high
    ? `about ${low.toLocaleString('en-US')}`
    : `${low.toLocaleString('en-US')} to ${high.toLocaleString('en-US')}`;

const basisOf = ({ kind }: Ad): string =>
  kind === 'timed'
    ? `In ${SLOT_HOURS} hours, from this placement at this time of day in the last 30 days. Not a guarantee.`
    : `In ${LISTING_DAYS} days, from other businesses. It depends on your area. Not a guarantee.`;
