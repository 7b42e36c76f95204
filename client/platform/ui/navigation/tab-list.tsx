import type { LucideIcon } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useEffect, useRef, type ReactNode } from 'react';

interface Tab {
  value: string;
  name: string;
  Icon: LucideIcon;
  /** Shown after the name, such as a count. */
  badge?: ReactNode;
}

/** For up to three tabs. */
const FEW = {
  list: 'flex flex-wrap sm:flex-nowrap',
  tab: 'max-w-full sm:min-h-11 sm:flex-1 sm:flex-row sm:gap-2 sm:text-base sm:whitespace-nowrap',
};

/** The first ones are used most; the rest is reached by scrolling sideways. */
const ONE_ROW = {
  list: 'relative flex overflow-x-auto overscroll-x-contain max-md:[scrollbar-width:none]',
  tab: 'min-h-11! shrink-0 flex-row gap-1.5 px-2.5! whitespace-nowrap max-md:[&>svg]:hidden',
};

/** The bar of tabs at the top of a `Tabs.Root`. */
export function TabList({
  label,
  tabs,
  isOneRow = false,
}: {
  label: string;
  tabs: readonly Tab[];
  /** Whether a phone shows one row that scrolls, instead of all tabs. */
  isOneRow?: boolean;
}) {
  const looks = isOneRow ? ONE_ROW : FEW;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const bar = list.current;
    const active = bar?.querySelector<HTMLElement>('[data-state=active]');
    if (isOneRow && bar && active) bar.scrollLeft = active.offsetLeft - bar.clientWidth / 3;
  }, [isOneRow]);
  return (
    <Tabs.List
      ref={list}
      aria-label={label}
      className={`gap-1 rounded-control bg-sunken p-1 ${looks.list}`}
    >
      {tabs.map(({ value, name, Icon, badge }) => (
        <Tabs.Trigger
          key={value}
          value={value}
          className={`flex min-h-14 flex-auto flex-col items-center justify-center rounded-lg px-1 text-sm font-bold text-soft data-[state=active]:bg-chosen data-[state=active]:text-on-chosen data-[state=active]:shadow-lift ${looks.tab}`}
        >
          <Icon aria-hidden className="size-5 shrink-0" />
          <span className="inline-flex max-w-full items-center gap-1.5 wrap-anywhere">
            {name}
            {badge}
          </span>
        </Tabs.Trigger>
      ))}
    </Tabs.List>
  );
}
