import { ChartColumn, List } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useSearchParams } from 'react-router-dom';
import { TabList } from '../ui/tab-list.tsx';
import { AdAnalytics } from './ad-analytics.tsx';
import { AdManagement } from './ad-management.tsx';

const VIEWS = [
  { value: 'management', name: 'Advertisement Management', Icon: List },
  { value: 'analytics', name: 'Analytics', Icon: ChartColumn },
] as const;

/** House ads and their analytics; the view is in the address: `?view=analytics`. */
export default function AdvertisementsTab() {
  const [search, setSearch] = useSearchParams();
  const view = VIEWS.find(({ value }) => value === search.get('view')) ?? VIEWS[0];
  return (
    <Tabs.Root
      value={view.value}
      onValueChange={(value) => setSearch({ tab: 'advertisements', view: value })}
      className="flex flex-col gap-4"
    >
      <TabList label="Advertisements" tabs={VIEWS} />
      <Tabs.Content value="management" className="outline-offset-4">
        <AdManagement />
      </Tabs.Content>
      <Tabs.Content value="analytics" className="flex flex-col gap-4 outline-offset-4">
        <AdAnalytics />
      </Tabs.Content>
    </Tabs.Root>
  );
}
