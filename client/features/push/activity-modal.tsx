import {
  BellRing,
  CalendarCheck,
  CalendarClock,
  CalendarDays,
  CalendarPlus,
  ChevronRight,
  Flag,
  Footprints,
  KeyRound,
  MessagesSquare,
  ShieldAlert,
  TicketCheck,
  TriangleAlert,
  UserRoundCheck,
  UserRoundPlus,
  UsersRound,
  type LucideIcon,
} from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { formatDateTime, formatTime } from '#shared/dates.ts';
import { listActivity, type Activity, type PushKind } from '#shared/push/contract.ts';
import { EmptyState } from '../../platform/illustrations/empty-state.tsx';
import { Modal } from '../../platform/ui/dialogs/modal.tsx';
import { useDialogParam } from '../../platform/ui/dialogs/use-dialog-param.ts';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { Time } from '../../platform/ui/layout/time.tsx';
import { useActivity } from './use-activity.ts';

const ICONS: Record<PushKind, LucideIcon> = {
  messages: MessagesSquare,
  friends: UsersRound,
  alerts: BellRing,
  hazards: TriangleAlert,
  moderation: ShieldAlert,
  walk: Footprints,
  planned_walks: CalendarDays,
};

/** For topics that are more telling than their kind. */
const TOPIC_ICONS: Record<string, LucideIcon> = {
  friend_request: UserRoundPlus,
  friend_answer: UserRoundCheck,
  invitation: TicketCheck,
  report: Flag,
  access: KeyRound,
  walk_invitation: CalendarPlus,
  walk_change: CalendarClock,
  walk_answer: CalendarCheck,
};

/** What a tap is for, where something waits for an answer. */
const ANSWERS = new Set(['friend_request', 'walk_invitation']);

const iconOf = ({ kind, topic = '' }: Activity): LucideIcon => TOPIC_ICONS[topic] ?? ICONS[kind];

const briefTime = (at: string): string =>
  new Date(at).toDateString() === new Date().toDateString()
    ? `Today, ${formatTime(at)}`
    : formatDateTime(at);

/** What happened to the user, the same as pushes say, the latest first: `?open=activity`. */
export default function ActivityModal() {
  const { close } = useDialogParam();
  const { activity, read, isPending, isError, isPaused } = useActivity();
  const newest = activity[0]?.told_at;
  const isNew = activity.some(({ is_read }) => !is_read);
  // What was new when it was opened stays marked while it is open.
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  const unread = activity.filter((each) => !each.is_read && !fresh.has(each.id));
  if (unread.length > 0) setFresh(new Set([...fresh, ...unread.map(({ id }) => id)]));
  useEffect(() => {
    if (newest !== undefined && isNew) read(newest);
  }, [newest, isNew, read]);
  return (
    <Modal open onClose={() => void close()} title="Activity">
      {isPending && !isPaused && <Skeleton label="Loading your activity…" lines={3} />}
      {isPaused && (
        <p className="text-soft">You’re offline. Connect to the internet once to load it.</p>
      )}
      {isError && (
        <ErrorBanner title={listActivity.failure}>Please try again in a moment.</ErrorBanner>
      )}
      {!isPending && !isError && !isPaused && activity.length === 0 && (
        <EmptyState illustration="friends" isSmall>
          Nothing new. Friend requests, invitations and news about your account show up here.
        </EmptyState>
      )}
      <ul className="divide-y divide-line empty:hidden">
        {activity.map((each) => {
          const { id, topic = '', title, body, path, told_at } = each;
          const Icon = iconOf(each);
          return (
            <li key={id}>
              <Link
                to={path}
                className={`-mx-2 flex min-h-16 items-center gap-3 rounded-control px-2 py-2.5 hover:bg-sunken ${fresh.has(id) ? 'bg-accent-soft' : ''}`}
              >
                <span
                  className={`flex size-10 shrink-0 items-center justify-center rounded-full ${fresh.has(id) ? 'bg-accent text-on-accent' : 'bg-accent-soft text-accent'}`}
                >
                  <Icon aria-hidden className="size-5" />
                </span>
                <span className="min-w-0 flex-1">
                  <span className="block font-bold break-words">{title}</span>
                  <span className="block break-words">{body}</span>
                  <span className="block text-sm text-soft">
                    {fresh.has(id) && (
                      <>
                        <span className="font-bold text-accent">New</span>
                        <span>{' · '}</span>
                      </>
                    )}
                    <Time at={told_at} format={briefTime} />
                  </span>
                </span>
                {ANSWERS.has(topic) && <span className="font-bold text-accent">Answer</span>}
                <ChevronRight aria-hidden className="-ml-2 size-5 shrink-0 text-soft" />
              </Link>
            </li>
          );
        })}
      </ul>
    </Modal>
  );
}
