import { ChartColumn, CreditCard, Megaphone, Users } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useSearchParams } from 'react-router-dom';
import { TabList } from '../ui/tab-list.tsx';
import { AdminAds } from './admin-ads.tsx';
import { AdminAdvertisers } from './admin-advertisers.tsx';
import { AdminOverview } from './admin-overview.tsx';
import { AdminPayments } from './admin-payments.tsx';

const VIEWS = [
  { value: 'overview', name: 'Overview', Icon: ChartColumn, View: AdminOverview },
  { value: 'advertisers', name: 'Advertisers', Icon: Users, View: AdminAdvertisers },
  { value: 'advertisements', name: 'Advertisements', Icon: Megaphone, View: AdminAds },
  { value: 'payments', name: 'Payments', Icon: CreditCard, View: AdminPayments },
] as const;

/** Who pays to be seen, what runs, and what it brings in. The address says which: `?view=payments`. */
export default function AdvertisersTab() {
  const [search, setSearch] = useSearchParams();
  const view = VIEWS.find(({ value }) => value === search.get('view')) ?? VIEWS[0];
  return (
    <Tabs.Root
      value={view.value}
      onValueChange={(value) => setSearch({ tab: 'advertisers', view: value })}
      className="flex flex-col gap-4"
    >
      <TabList label="Advertisers" tabs={VIEWS} />
      <Tabs.Content value={view.value} className="flex flex-col gap-4 outline-offset-4">
        <view.View />
      </Tabs.Content>
    </Tabs.Root>
  );
}
