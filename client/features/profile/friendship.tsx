import { Ban, CalendarPlus, Clock, Inbox, MessageCircle, Undo2, UserRoundPlus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Contact } from '#shared/friends/document.ts';
import { planWalkWith } from '#shared/planned-walks/rules.ts';
import type { FriendshipStatus } from '#shared/profile/contract.ts';
import { isInstalled } from '../../platform/install/install-event.ts';
import { Button, ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { useWalksHere } from '../../platform/walks-here.ts';
import { UnblockDialog } from '../blocks/unblock-dialog.tsx';
import { chatPath } from '../friends/chat-path.ts';
import { useContactActions, useContacts } from '../friends/use-contacts.ts';
import { FriendRequestForm } from './friend-request-form.tsx';

type Person = Pick<Contact, 'user_id' | 'name'>;

const icon = 'size-5 shrink-0';

function Note({ icon: shown, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <p className="flex items-center gap-3 rounded-control bg-sunken p-3.5 font-bold">
      {shown}
      {children}
    </p>
  );
}

/** The relationship to another user, with its actions. */
export function Friendship({
  person,
  status,
  isWaiting,
}: {
  person: Person;
  status: FriendshipStatus;
  /** Whether this device has unsent calls about them. */
  isWaiting: boolean;
}) {
  const { withdraw, accept, deny } = useContactActions();
  const { contacts } = useContacts();
  const isBlocker = contacts.blocked.some(({ user_id }) => user_id === person.user_id);
  const [isUnblocking, setUnblocking] = useState(false);
  const request = contacts.received.find(({ user_id }) => user_id === person.user_id);
  // A walk goes on in this tab, which keeps warning; an installed app has no tabs.
  const opensTab = useWalksHere() && !isInstalled();
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-5">
      <div role="status" className="flex flex-col gap-3 empty:hidden">
        {status === 'pending_sent' && (
          <Note icon={<Clock aria-hidden className={icon} />}>Friend request pending</Note>
        )}
        {status === 'blocked' && (
          <Note icon={<Ban aria-hidden className={icon} />}>
            <span className="min-w-0 break-words">
              {isBlocker && <span className="block">You blocked {person.name}</span>}
              <span className={isBlocker ? 'text-sm font-normal text-soft' : ''}>
                Unable to connect with this user
              </span>
            </span>
          </Note>
        )}
        {isWaiting && (
          <p className="text-sm text-soft">
            Saved on this device. We’ll send it once you’re online.
          </p>
        )}
      </div>
      {isBlocker && (
        <Button look="secondary" onClick={() => setUnblocking(true)}>
          Unblock<span className="sr-only"> {person.name}</span>
        </Button>
      )}
      <UnblockDialog person={isUnblocking ? person : null} onClose={() => setUnblocking(false)} />
      {status === 'none' && <FriendRequestForm person={person} />}
      {status === 'pending_sent' && (
        <Button look="secondary" onClick={() => void withdraw(person)} Icon={Undo2}>
          Withdraw Request
        </Button>
      )}
      {status === 'pending_received' && request && (
        <>
          {request.message && <p className="break-words">“{request.message}”</p>}
          <div className="actions">
            <Button wide look="secondary" onClick={() => void deny(request)}>
              Deny<span className="sr-only"> the request from {person.name}</span>
            </Button>
            <Button wide onClick={() => void accept(request)} Icon={UserRoundPlus}>
              Accept<span className="sr-only"> the request from {person.name}</span>
            </Button>
          </div>
        </>
      )}
      {/* The request itself isn't on this device yet. */}
      {status === 'pending_received' && !request && (
        <ButtonLink look="secondary" to="/social?tab=requests" Icon={Inbox}>
          Respond to their friend request in Social tab
        </ButtonLink>
      )}
      {status === 'friends' && (
        <ButtonLink
          to={chatPath(person.user_id)}
          {...(opensTab && { target: '_blank', rel: 'noopener' })}
          Icon={MessageCircle}
        >
          <span>Send Message</span>
          {opensTab && <span className="sr-only">(opens in a new tab)</span>}
        </ButtonLink>
      )}
      {status === 'friends' && (
        <ButtonLink look="secondary" to={planWalkWith(person.user_id)} Icon={CalendarPlus}>
          Plan a walk
        </ButtonLink>
      )}
    </div>
  );
}
