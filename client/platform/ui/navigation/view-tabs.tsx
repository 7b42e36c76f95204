import { Tabs } from 'radix-ui';
import type { ComponentProps, ComponentType } from 'react';
import { useSearchParams } from 'react-router-dom';
import { TabList } from './tab-list.tsx';

type View = ComponentProps<typeof TabList>['tabs'][number] & { View: ComponentType };

/** The tabs of an admin tab, with the open view in the address. Opening another drops a list's filters and page. */
export function ViewTabs({
  tab,
  param = 'view',
  activationMode = 'automatic',
  label,
  views,
}: {
  /** Value of `?tab=` in the address. */
  tab: string;
  activationMode?: 'automatic' | 'manual';
  /** Parameter with the open view. */
  param?: string;
  label: string;
  /** The first is the default. */
  views: readonly [View, ...View[]];
}) {
  const [search, setSearch] = useSearchParams();
  const open = views.find(({ value }) => value === search.get(param)) ?? views[0];
  return (
    <Tabs.Root
      value={open.value}
      onValueChange={(value) => setSearch({ tab, [param]: value })}
      activationMode={activationMode}
      className="flex flex-col gap-2 sm:gap-4"
    >
      <TabList label={label} tabs={views} isOneRow />
      <Tabs.Content
        key={open.value}
        value={open.value}
        className="flex flex-col gap-3 outline-offset-4 sm:gap-4"
      >
        <open.View />
      </Tabs.Content>
    </Tabs.Root>
  );
}
