import type { LucideIcon } from 'lucide-react';
import { Tabs } from 'radix-ui';

/** More do not fit beside each other on a phone: they stand in two lines, so that none is out of sight. */
const ONE_LINE_MAX = 4;

/** The bar of tabs at the top of a `Tabs.Root`. */
export function TabList({
  label,
  tabs,
}: {
  label: string;
  tabs: readonly { value: string; name: string; Icon: LucideIcon }[];
}) {
  return (
    <Tabs.List
      aria-label={label}
      className={`gap-1 rounded-control bg-sunken p-1 ${tabs.length > ONE_LINE_MAX ? 'grid grid-cols-3 sm:flex sm:flex-wrap' : 'flex'}`}
    >
      {tabs.map(({ value, name, Icon }) => (
        <Tabs.Trigger
          key={value}
          value={value}
          className="flex min-h-14 flex-auto flex-col items-center justify-center rounded-lg px-1 text-sm whitespace-nowrap font-semibold text-soft data-[state=active]:bg-surface data-[state=active]:text-accent data-[state=active]:shadow-lift sm:min-h-11 sm:flex-1 sm:flex-row sm:gap-2 sm:text-base"
        >
          <Icon aria-hidden className="size-5 shrink-0" />
          {name}
        </Tabs.Trigger>
      ))}
    </Tabs.List>
  );
}
