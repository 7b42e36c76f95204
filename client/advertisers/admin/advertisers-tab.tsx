import { ChartColumn, ClipboardCheck, CreditCard, Megaphone, Users } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useSearchParams } from 'react-router-dom';
import { countWords } from '../../admin/format.ts';
import { TabList } from '../../ui/tab-list.tsx';
import { AdminAds } from './admin-ads.tsx';
import { AdminAdvertisers } from './admin-advertisers.tsx';
import { AdminOverview } from './admin-overview.tsx';
import { AdminPayments } from './admin-payments.tsx';
import { AdminReviews, useAdReviews } from './admin-reviews.tsx';

const VIEWS = [
  { value: 'overview', name: 'Overview', Icon: ChartColumn, View: AdminOverview },
  { value: 'advertisers', name: 'Advertisers', Icon: Users, View: AdminAdvertisers },
  { value: 'advertisements', name: 'Advertisements', Icon: Megaphone, View: AdminAds },
  { value: 'payments', name: 'Payments', Icon: CreditCard, View: AdminPayments },
  { value: 'review', name: 'Review', Icon: ClipboardCheck, View: AdminReviews },
] as const;

/** Advertisers, their ads, payments and reviews; the view is in the address: `?view=payments`. */
export default function AdvertisersTab() {
  const [search, setSearch] = useSearchParams();
  const view = VIEWS.find(({ value }) => value === search.get('view')) ?? VIEWS[0];
  const waiting = useAdReviews().data?.total ?? 0;
  const tabs = VIEWS.map((each) =>
    each.value === 'review' && waiting > 0
      ? { ...each, badge: <WaitingCount count={waiting} /> }
      : each,
  );
  return (
    <Tabs.Root
      value={view.value}
      onValueChange={(value) => setSearch({ tab: 'advertisers', view: value })}
      className="flex flex-col gap-4"
    >
      <TabList label="Advertisers" tabs={tabs} />
      <Tabs.Content value={view.value} className="flex flex-col gap-4 outline-offset-4">
        <view.View />
      </Tabs.Content>
    </Tabs.Root>
  );
}

const WaitingCount = ({ count }: { count: number }) => (
  <span className="inline-flex min-w-5 items-center justify-center rounded-full bg-accent px-1.5 text-xs text-on-accent tabular-nums">
    {countWords(count)}
    <span className="sr-only"> waiting</span>
  </span>
);
