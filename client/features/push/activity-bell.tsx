import { Bell } from 'lucide-react';
import { Link, useSearchParams } from 'react-router-dom';
import { ACTIVITY_OPEN, useActivity } from './use-activity.ts';

const MOST = 9;

/** Opens the list of what happened, on any screen, with the number of what is new. */
export default function ActivityBell() {
  const { unread } = useActivity();
  const [search] = useSearchParams();
  const to = new URLSearchParams(search);
  to.set('open', ACTIVITY_OPEN);
  return (
    <Link
      to={`?${to}`}
      aria-label={unread > 0 ? `Activity, ${unread} new` : 'Activity'}
      title="Activity"
      className="relative inline-flex size-11 shrink-0 items-center justify-center rounded-control hover:bg-sunken"
    >
      <Bell aria-hidden className="size-5" />
      {unread > 0 && (
        <span
          aria-hidden
          className="absolute top-0.5 right-0 flex h-5 min-w-5 items-center justify-center rounded-full bg-accent px-1 text-xs font-bold text-on-accent tabular-nums"
        >
          {unread > MOST ? `${MOST}+` : unread}
        </span>
      )}
    </Link>
  );
}
