import type { LucideIcon } from 'lucide-react';
import { numberWords } from './format.ts';

export interface Stat {
  name: string;
  /** Undefined while loading. */
  value: string | number | undefined;
  Icon: LucideIcon;
}

/** Such as 0 and '$0.00', which a phone leaves out. */
const isNone = (value: Stat['value']): boolean => /^\$?0(\.00)?$/.test(String(value));

/** Numbers side by side; on a phone in a few lines without zeros, so that the rows below come first. Reserves their space while loading. */
export function StatCards({ label, stats }: { label: string; stats: readonly Stat[] }) {
  return (
    <dl aria-label={label} className="flex flex-wrap gap-x-4 sm:gap-3">
      {stats.map(({ name, value, Icon }) => (
        <div
          key={name}
          className={`flex flex-row-reverse items-baseline justify-end gap-1.5 ${isNone(value) ? 'max-sm:hidden' : ''} sm:flex-1 sm:basis-38 sm:flex-col-reverse sm:items-stretch sm:gap-0.5 sm:rounded-card sm:border sm:border-line sm:bg-surface sm:p-3.5 sm:shadow-lift`}
        >
          <dt className="flex items-center gap-2 text-sm text-soft">
            <Icon aria-hidden className="size-4 shrink-0 max-sm:hidden" />
            <span className="min-w-0 break-words">{name}</span>
          </dt>
          <dd className="font-bold sm:text-2xl whitespace-nowrap tabular-nums">
            {value === undefined ? '–' : typeof value === 'number' ? numberWords(value) : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
