import { CircleCheck, Clock, TicketCheck, TimerOff, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { formatDateTime } from '#shared/dates.ts';
import { listInvitations, type SearchInvitation } from '#shared/invitations/contract.ts';
import { invitationStatus } from '#shared/invitations/rules.ts';
import { errorMessage } from '../../platform/http/error-message.ts';
import { Button } from '../../platform/ui/buttons/button.tsx';
import { CopyCode } from '../../platform/ui/buttons/copy-code.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { useNow } from '../../platform/use-now.ts';
import { InviteForm } from './invite-form.tsx';
import { useInvitations, type ShownInvitation } from './use-invitations.ts';

type Status = ReturnType<typeof invitationStatus>;

const ICONS: Record<Status, LucideIcon> = { Active: Clock, Used: TicketCheck, Expired: TimerOff };

/** Labels of the email's delivery status. */
const DELIVERIES: Record<NonNullable<ShownInvitation['delivery']>, string> = {
  waiting: 'Email on its way',
  sent: 'Email sent',
  unknown: 'By email',
  failed: 'The email couldn’t be delivered: share the code yourself',
};

function Invitation({ invitation, now }: { invitation: ShownInvitation; now: number }) {
  const status = invitationStatus(invitation, now);
  const Icon = ICONS[status];
  const delivery = invitation.delivery && DELIVERIES[invitation.delivery];
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-bold break-words">{invitation.invited_email ?? 'Someone you invited'}</p>
        <p className="font-mono text-lg tracking-widest">{invitation.invitation_code}</p>
        <p className="text-sm text-soft">
          <span>
            {status === 'Expired' ? 'Expired' : 'Expires'} {formatDateTime(invitation.expires_at)}
          </span>
          {status === 'Active' && (
            <span>{` · ${delivery ?? 'No email sent: share the code yourself'}`}</span>
          )}
        </p>
      </div>
      <div className="flex items-center gap-2">
        <span className="inline-flex items-center gap-1.5 rounded-full bg-sunken px-3 py-1 text-sm font-bold">
          <Icon aria-hidden className="size-4 shrink-0" />
          {status}
        </span>
        {status === 'Active' && <CopyCode code={invitation.invitation_code} />}
      </div>
    </li>
  );
}

function InvitationList() {
  const { invitations, isLoading, error, isPaused, refetch } = useInvitations();
  const now = useNow();
  if (isLoading) return <Skeleton label="Loading your invitations…" lines={2} />;
  if (!invitations)
    return (
      <ErrorBanner
        look={isPaused ? 'offline' : 'error'}
        title={listInvitations.failure}
        action={
          isPaused ? undefined : (
            <Button look="secondary" onClick={() => void refetch()}>
              Try again
            </Button>
          )
        }
      >
        {isPaused
          ? 'You’re offline. Your invitations appear here when you’re back online.'
          : errorMessage(error, 'Please try again in a moment.')}
      </ErrorBanner>
    );
  if (invitations.length === 0) return <p className="text-soft">You haven’t invited anyone yet.</p>;
  return (
    <ul className="divide-y divide-line">
      {invitations.map((invitation) => (
        <Invitation key={invitation.id} invitation={invitation} now={now} />
      ))}
    </ul>
  );
}

/** Creates codes with which others may search for members, and lists them. */
export default function InvitationsTab() {
  const [made, setMade] = useState<SearchInvitation | null>(null);
  return (
    <div className="flex flex-col gap-6">
      <section aria-labelledby="invite" className="flex flex-col gap-3">
        <h2 id="invite" className="text-lg font-bold">
          Invite someone to search
        </h2>
        <p className="text-soft">
          A code from you lets one person search for members, including you.
        </p>
        <InviteForm onMade={setMade} />
        <div role="status" className="empty:hidden">
          {made && (
            <div className="flex flex-wrap items-center gap-3 rounded-control border-2 border-accent bg-accent-soft p-4">
              <CircleCheck aria-hidden className="size-6 shrink-0 text-accent" />
              <p className="min-w-0 flex-1 basis-40">
                <span className="block font-bold">Invitation created</span>
                {made.delivery
                  ? `We’re emailing the code ${made.invitation_code} to ${made.invited_email}.`
                  : `We won’t email them. Give them the code ${made.invitation_code} yourself.`}
              </p>
            </div>
          )}
        </div>
      </section>
      <section aria-labelledby="invitations" className="flex flex-col gap-3">
        <h2 id="invitations" className="text-lg font-bold">
          Your invitations
        </h2>
        <InvitationList />
      </section>
    </div>
  );
}
