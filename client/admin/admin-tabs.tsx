import { Tabs } from 'radix-ui';
import { Suspense, useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { ErrorBoundary } from '../ui/error-boundary.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useMedia } from '../ui/use-media.ts';
import { TABS } from './tabs.ts';

/** The tabs of the panel: a strip to swipe on a phone, a column on a wide screen. */
export function AdminTabs() {
  const [search, setSearch] = useSearchParams();
  const isWide = useMedia('(min-width: 64rem)');
  const tab = TABS.find(({ value }) => value === search.get('tab')) ?? TABS[0];
  const strip = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isWide) return;
    strip.current
      ?.querySelector(`[data-tab="${tab.value}"]`)
      ?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [tab.value, isWide]);
  return (
    <Tabs.Root
      value={tab.value}
      // Drops the previous list's search and page.
      onValueChange={(value) => setSearch({ tab: value })}
      orientation={isWide ? 'vertical' : 'horizontal'}
      activationMode="manual"
      className="flex flex-1 flex-col gap-4 lg:flex-row lg:items-start lg:gap-6"
    >
      <Tabs.List
        ref={strip}
        aria-label="Admin"
        className="-mx-[min(1rem,4.5vw)] flex gap-1 overflow-x-auto px-[min(1rem,4.5vw)] pb-1 sm:-mx-6 sm:px-6 lg:sticky lg:top-4 lg:mx-0 lg:w-52 lg:shrink-0 lg:flex-col lg:overflow-visible lg:p-0"
      >
        {TABS.map(({ value, name, Icon }) => (
          <Tabs.Trigger
            key={value}
            value={value}
            data-tab={value}
            className="flex min-h-11 shrink-0 items-center gap-2.5 rounded-control px-3.5 font-bold whitespace-nowrap text-soft hover:bg-sunken data-[state=active]:bg-accent-soft data-[state=active]:text-accent"
          >
            <Icon aria-hidden className="size-5 shrink-0" />
            {name}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <Tabs.Content
        key={tab.value}
        value={tab.value}
        className="flex min-w-0 flex-1 flex-col gap-4 outline-offset-4"
      >
        <ErrorBoundary>
          <Suspense fallback={<Skeleton label={`Loading ${tab.name.toLowerCase()}…`} lines={6} />}>
            <tab.Tab />
          </Suspense>
        </ErrorBoundary>
      </Tabs.Content>
    </Tabs.Root>
  );
}
