import type { LucideIcon } from 'lucide-react';
import { numberWords } from './format.ts';

export interface Stat {
  name: string;
  /** Undefined while loading. */
  value: string | number | undefined;
  Icon: LucideIcon;
}

/** Numbers side by side; reserves their space while loading. */
export function StatCards({ label, stats }: { label: string; stats: readonly Stat[] }) {
  return (
    <dl
      aria-label={label}
      // Two columns on a phone, one with large text or amounts.
      className="flex flex-wrap gap-3"
    >
      {stats.map(({ name, value, Icon }) => (
        <div
          key={name}
          className="flex flex-1 basis-34 flex-col-reverse justify-end gap-0.5 rounded-card border border-line bg-surface p-3.5 shadow-lift sm:basis-38"
        >
          <dt className="flex items-center gap-2 text-sm text-soft">
            <Icon aria-hidden className="size-4 shrink-0" />
            <span className="min-w-0 break-words">{name}</span>
          </dt>
          <dd className="text-2xl font-bold whitespace-nowrap tabular-nums">
            {value === undefined ? '–' : typeof value === 'number' ? numberWords(value) : value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
