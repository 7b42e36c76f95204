import {
  CalendarClock,
  Check,
  CirclePause,
  CircleX,
  Flag,
  Hourglass,
  type LucideIcon,
} from 'lucide-react';
import { STATUS_NAMES } from './labels.ts';

type Status = keyof typeof STATUS_NAMES;

const ICONS: Record<Status, LucideIcon> = {
  pending: CalendarClock,
  failed: CircleX,
  scheduled: CalendarClock,
  active: Check,
  paused: CirclePause,
  review: Hourglass,
  completed: Flag,
  expired: Flag,
  cancelled: CircleX,
};

/** The state of an ad, in a word with its icon. */
export function StatusPill({ status }: { status: Status }) {
  const Icon = ICONS[status];
  return (
    <span
      className={`inline-flex max-w-full items-center gap-1 rounded-xl px-2.5 py-0.5 text-sm font-bold md:whitespace-nowrap ${status === 'active' ? 'bg-accent-soft text-accent' : 'bg-sunken text-ink'}`}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      {STATUS_NAMES[status]}
    </span>
  );
}
