import {
  Clock,
  MessageCircle,
  UserRoundCheck,
  UserRoundPlus,
  UsersRound,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Button, ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { chatPath } from './chat-path.ts';
import { statusOf } from './optimistic-contacts.ts';
import { useContactActions, useContacts } from './use-contacts.ts';

/** What can be done about somebody whom the owner met: the same in a list and in a warning. */
function useMeeting(userId: string) {
  const { contacts } = useContacts();
  return {
    ...useContactActions(),
    status: statusOf(contacts, userId),
    request: contacts.received.find(({ user_id }) => user_id === userId),
    isWaiting: contacts.waiting.has(userId),
  };
}

const note =
  'flex min-h-12 items-center justify-center gap-2 rounded-control bg-sunken px-3.5 font-bold';

/**
 * Adds somebody whom the owner met as a friend. Two people who both do it are friends at once, because the second request
 * accepts the first (decision 50).
 */
export function AddFriend({ userId, name }: { userId: string; name: string }) {
  const { status, request, isWaiting, ask, accept } = useMeeting(userId);
  if (status === 'blocked') return null;
  return (
    <>
      {status === 'none' && (
        <Button onClick={() => void ask({ user_id: userId, name }, '')} Icon={UserRoundPlus}>
          Add friend<span className="sr-only"> {name}</span>
        </Button>
      )}
      {status === 'pending_received' && request && (
        <Button onClick={() => void accept(request)} Icon={UserRoundPlus}>
          Accept request<span className="sr-only"> from {name}</span>
        </Button>
      )}
      {status === 'friends' && (
        <ButtonLink look="secondary" to={chatPath(userId)} Icon={MessageCircle}>
          Message<span className="sr-only"> {name}</span>
        </ButtonLink>
      )}
      <p role="status" className={status === 'pending_sent' ? note : 'sr-only'}>
        {status === 'friends' && (
          <>
            <UsersRound aria-hidden className="size-5 shrink-0" />
            <span>You’re friends</span>
          </>
        )}
        {status === 'pending_sent' && (
          <>
            <Clock aria-hidden className="size-5 shrink-0" />
            <span>{isWaiting ? 'Request not sent yet' : 'Friend request pending'}</span>
          </>
        )}
      </p>
    </>
  );
}

const line = 'flex min-h-11 min-w-0 items-center gap-2 rounded-control px-2 font-bold';

function Line({
  Icon,
  onPress,
  children,
}: {
  Icon: LucideIcon;
  onPress: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      onClick={onPress}
      className={`${line} underline decoration-line-strong underline-offset-4`}
    >
      <Icon aria-hidden className="size-5 shrink-0" />
      <span className="min-w-0 text-left break-words">{children}</span>
    </button>
  );
}

/**
 * The same in one line, for a warning, where what to do about the dog comes first.
 * @param onLeave called when the owner opens the chat, which the warning would cover
 */
export function AddFriendLine({
  userId,
  name,
  onLeave,
}: {
  userId: string;
  name: string;
  onLeave: () => void;
}) {
  const { status, request, isWaiting, ask, accept } = useMeeting(userId);
  return (
    <>
      {status === 'none' && (
        <Line Icon={UserRoundPlus} onPress={() => void ask({ user_id: userId, name }, '')}>
          Add <span className="sr-only">{name} </span>as a friend
        </Line>
      )}
      {status === 'pending_received' && request && (
        <Line Icon={UserRoundPlus} onPress={() => void accept(request)}>
          {name} wants to be friends: accept
        </Line>
      )}
      {status === 'friends' && (
        <Link
          to={chatPath(userId)}
          onClick={onLeave}
          className={`${line} underline decoration-line-strong underline-offset-4`}
        >
          <MessageCircle aria-hidden className="size-5 shrink-0" />
          <span className="min-w-0 break-words">Message {name}</span>
        </Link>
      )}
      <p role="status" className={status === 'pending_sent' ? line : 'sr-only'}>
        {status === 'pending_sent' && (
          <>
            <Clock aria-hidden className="size-5 shrink-0" />
            <span>{isWaiting ? 'Request not sent yet' : 'Friend request pending'}</span>
          </>
        )}
        {status === 'friends' && <span>You’re friends</span>}
      </p>
    </>
  );
}

/** The same as a button of one word, for a warning that was acknowledged. */
export function AddFriendIcon({
  userId,
  name,
  className,
}: {
  userId: string;
  name: string;
  className: string;
}) {
  const { status, request, ask, accept } = useMeeting(userId);
  const isAsked = status === 'pending_received' && request !== undefined;
  if (status !== 'none' && !isAsked) return null;
  const Icon = isAsked ? UserRoundCheck : UserRoundPlus;
  return (
    <button
      type="button"
      aria-label={isAsked ? `Accept the friend request from ${name}` : `Add ${name} as a friend`}
      onClick={() => void (isAsked ? accept(request) : ask({ user_id: userId, name }, ''))}
      className={className}
    >
      <Icon aria-hidden className="size-5" />
      <span aria-hidden>{isAsked ? 'Accept' : 'Add'}</span>
    </button>
  );
}
