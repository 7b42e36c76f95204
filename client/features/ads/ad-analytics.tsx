import { useQuery } from '@tanstack/react-query';
import { CalendarClock, Megaphone, MousePointerClick, Users } from 'lucide-react';
import { useEffect } from 'react';
import { advertisementAnalytics } from '#shared/ads/admin-contract.ts';
import { numberWords } from '../../platform/admin/format.ts';
import { StatCards } from '../../platform/admin/stat-cards.tsx';
import { call } from '../../platform/http/api.ts';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';
import { Time } from '../../platform/ui/layout/time.tsx';

/** Reasons why clicks weren't counted. */
const REASONS: Record<string, string> = {
  automated: 'Automated',
  too_fast: 'Too fast for a person',
  duplicate: 'Repeat click by the same person',
  not_seen: 'The ad wasn’t viewed first',
  not_running: 'The ad wasn’t running',
  mismatch: 'The title or URL doesn’t match the ad',
};

/** Click statistics. A failed fetch is only logged. */
export function AdAnalytics() {
  const asked = useQuery({
    queryKey: ['admin', 'ad-analytics'],
    queryFn: () => call(advertisementAnalytics),
  });
  const { data, error } = asked;
  useEffect(() => {
    if (error) console.error(advertisementAnalytics.failure, error);
  }, [error]);
  const { stats, topAds = [], recentClicks = [], notCounted = [] } = data ?? {};
  return (
    <>
      <StatCards
        label="Click stats"
        stats={[
          { name: 'Total clicks', value: stats?.total_clicks, Icon: MousePointerClick },
          { name: 'Unique users', value: stats?.unique_users, Icon: Users },
          { name: 'Last 24 hours', value: stats?.clicks_last_24h, Icon: CalendarClock },
          { name: 'Ads clicked', value: stats?.ads_clicked, Icon: Megaphone },
        ]}
      />
      {!data && !error && <Skeleton label="Loading clicks…" lines={4} asked={asked} />}
      {data && (
        <>
          <Card title="Top Ads">
            {topAds.length === 0 ? (
              <p className="text-soft">No ad clicks recorded yet</p>
            ) : (
              <ol className="divide-y divide-line">
                {topAds.map(({ ad_id, ad_title, click_count, unique_clicks }) => (
                  <li key={ad_id} className="flex items-baseline justify-between gap-4 py-2.5">
                    <span className="min-w-0 font-bold break-words">{ad_title}</span>
                    <span className="shrink-0 text-right tabular-nums">
                      {numberWords(click_count)} {click_count === 1 ? 'click' : 'clicks'}
                      <span className="block text-sm text-soft">
                        by {numberWords(unique_clicks)} {unique_clicks === 1 ? 'person' : 'people'}
                      </span>
                    </span>
                  </li>
                ))}
              </ol>
            )}
          </Card>
          <Card title="Recent Clicks">
            {recentClicks.length === 0 ? (
              <p className="text-soft">No recent clicks</p>
            ) : (
              <ul className="divide-y divide-line">
                {recentClicks.map(({ ad_title, ad_url, clicked_at }, index) => (
                  // Two clicks may have the same values.
                  <li key={index} className="flex flex-wrap justify-between gap-x-4 py-2.5">
                    <span className="min-w-0">
                      <span className="block font-bold break-words">{ad_title}</span>
                      <span className="block text-sm break-all text-soft">{ad_url}</span>
                    </span>
                    <span className="shrink-0 text-sm text-soft">
                      <Time at={clicked_at} />
                    </span>
                  </li>
                ))}
              </ul>
            )}
          </Card>
        </>
      )}
      {notCounted.length > 0 && (
        <Card title="Not Counted">
          <p className="mb-2 text-soft">These clicks aren’t included in the numbers above.</p>
          <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1.5">
            {notCounted.map(({ reason, clicks }) => (
              <div key={reason} className="contents">
                <dt>{REASONS[reason] ?? reason}</dt>
                <dd className="text-right font-bold tabular-nums">{numberWords(clicks)}</dd>
              </div>
            ))}
          </dl>
        </Card>
      )}
    </>
  );
}
