import { HandHeart, HeartHandshake } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useSearchParams } from 'react-router-dom';
import { Screen } from '../../platform/ui/layout/screen.tsx';
import { TabList } from '../../platform/ui/navigation/tab-list.tsx';
import { BrowseCharities } from './browse-charities.tsx';
import { SuggestCharity } from './suggest-charity.tsx';

const TABS = [
  { value: 'browse', name: 'Browse Charities', Icon: HandHeart },
  { value: 'suggest', name: 'Suggest Charity', Icon: HeartHandshake },
] as const;

/** Charities to donate to; `?tab=suggest` opens the suggestion form. */
export default function CommunityPage() {
  const [search, setSearch] = useSearchParams();
  const tab = search.get('tab') === 'suggest' ? 'suggest' : 'browse';
  return (
    <Screen title="Community Charities" className="flex flex-col gap-3 px-4 pb-4 sm:px-6">
      <h1 tabIndex={-1} className="py-2 text-2xl font-bold tracking-tight sm:text-3xl">
        Community Charities
      </h1>
      <Tabs.Root
        value={tab}
        onValueChange={(value) =>
          setSearch(value === 'suggest' ? { tab: value } : {}, { replace: true })
        }
        className="flex flex-col gap-3"
      >
        <TabList label="Charities" isOneRow tabs={TABS} />
        <Tabs.Content value="browse" className="outline-offset-4">
          <BrowseCharities />
        </Tabs.Content>
        <Tabs.Content value="suggest" className="outline-offset-4">
          <SuggestCharity />
        </Tabs.Content>
      </Tabs.Root>
    </Screen>
  );
}
