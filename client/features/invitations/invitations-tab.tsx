import {
  Check,
  CircleCheck,
  Clock,
  Copy,
  MessageSquare,
  Send,
  Share2,
  TicketCheck,
  TimerOff,
  Trash2,
  type LucideIcon,
} from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import {
  listInvitations,
  resendInvitation,
  revokeInvitation,
  type SearchInvitation,
} from '#shared/invitations/contract.ts';
import { invitationLink } from '#shared/invitations/link.ts';
import { invitationStatus } from '#shared/invitations/rules.ts';
import { errorMessage } from '../../platform/http/error-message.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { ActionsMenu } from '../../platform/ui/buttons/actions-menu.tsx';
import { Button, ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { useCopy } from '../../platform/ui/buttons/use-copy.ts';
import { ConfirmDialog } from '../../platform/ui/dialogs/confirm-dialog.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { EmailText } from '../../platform/ui/layout/email-text.tsx';
import { Summary } from '../../platform/ui/layout/summary.tsx';
import { Time } from '../../platform/ui/layout/time.tsx';
import { useNow } from '../../platform/use-now.ts';
import { InvitationLink } from './invitation-link.tsx';
import { InviteForm } from './invite-form.tsx';
import { shareInvitation } from './share-invitation.ts';
import { resend, revoke, useInvitations, type ShownInvitation } from './use-invitations.ts';

type Status = ReturnType<typeof invitationStatus>;

const ICONS: Record<Status, LucideIcon> = { Active: Clock, Used: TicketCheck, Expired: TimerOff };

/** Labels of the email's delivery status. */
const DELIVERIES: Record<NonNullable<ShownInvitation['delivery']>, string> = {
  waiting: 'Email on its way',
  sent: 'Email sent',
  unknown: 'By email',
  failed: 'The email couldn’t be delivered: share the link yourself',
};

/** Shares the link of an invitation; copies it where the device has no share sheet. */
function ShareButton({ invitation }: { invitation: ShownInvitation }) {
  const link = invitationLink(location.origin, invitation);
  const { outcome, copy } = useCopy(link);
  const isCopied = outcome === 'copied';
  return (
    <>
      <Button
        look="secondary"
        Icon={shareInvitation ? Share2 : isCopied ? Check : Copy}
        onClick={() => (shareInvitation ? shareInvitation(link) : void copy())}
      >
        <span>{shareInvitation ? 'Share' : isCopied ? 'Copied!' : 'Copy link'}</span>
        <span className="sr-only"> of the invitation {invitation.invitation_code}</span>
      </Button>
      <span role="status" className="text-sm empty:hidden">
        {outcome === 'failed' && <span className="break-all">{`Copy it yourself: ${link}`}</span>}
      </span>
    </>
  );
}

function Invitation({
  invitation,
  now,
  onRevoke,
}: {
  invitation: ShownInvitation;
  now: number;
  onRevoke: () => void;
}) {
  const userId = useUser()?.id ?? '';
  const status = invitationStatus(invitation, now);
  const Icon = ICONS[status];
  const delivery = invitation.delivery && DELIVERIES[invitation.delivery];
  async function sendAgain() {
    try {
      await resend(userId, invitation.id);
      toast.success('The email is on its way');
    } catch (error) {
      toast.error(errorMessage(error, resendInvitation.failure));
    }
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-40">
        <p className="font-bold">
          <EmailText>{invitation.invited_email ?? 'Someone you invited'}</EmailText>
        </p>
        <p className="text-sm text-soft">
          <span>
            {status === 'Expired' ? 'Expired' : 'Expires'} <Time at={invitation.expires_at} />
          </span>
          {status === 'Active' && <span>{` · ${delivery ?? 'By link'}`}</span>}
          {status === 'Active' && invitation.admits === false && (
            <span>{' · For members only'}</span>
          )}
        </p>
        <p className="text-sm text-soft">
          Search code{' '}
          <span className="font-mono tracking-widest text-ink">{invitation.invitation_code}</span>
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <span className="inline-flex items-center gap-1.5 rounded-full bg-sunken px-3 py-1 text-sm font-bold">
          <Icon aria-hidden className="size-4 shrink-0" />
          {status}
        </span>
        {status === 'Active' && (
          <>
            <ShareButton invitation={invitation} />
            <ActionsMenu
              label={`More about the invitation ${invitation.invitation_code}`}
              actions={[
                ...(invitation.invited_email
                  ? [{ name: 'Email it again', Icon: Send, onSelect: () => void sendAgain() }]
                  : []),
                { name: 'Revoke', Icon: Trash2, onSelect: onRevoke },
              ]}
            />
          </>
        )}
      </div>
    </li>
  );
}

function InvitationList() {
  const { invitations, isLoading, error, isPaused, refetch } = useInvitations();
  const now = useNow();
  const userId = useUser()?.id ?? '';
  const [revoked, setRevoked] = useState<ShownInvitation | null>(null);
  async function end(id: string) {
    try {
      await revoke(userId, id);
      toast('Invitation revoked. Its link doesn’t work anymore.');
    } catch (error) {
      toast.error(errorMessage(error, revokeInvitation.failure));
    }
  }
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
    <>
      <ul className="divide-y divide-line">
        {invitations.map((invitation) => (
          <Invitation
            key={invitation.id}
            invitation={invitation}
            now={now}
            onRevoke={() => setRevoked(invitation)}
          />
        ))}
      </ul>
      <ConfirmDialog
        open={revoked !== null}
        title="Revoke this invitation?"
        description={`The code ${revoked?.invitation_code ?? ''} won’t find anyone anymore, and its link lets no one in.`}
        yes="Revoke"
        onYes={() => {
          if (revoked) void end(revoked.id);
        }}
        onClose={() => setRevoked(null)}
      />
    </>
  );
}

/** Invites people, members and newcomers alike, and lists who was invited. */
export default function InvitationsTab() {
  const [made, setMade] = useState<SearchInvitation | null>(null);
  return (
    <div className="flex flex-col gap-6">
      <section aria-labelledby="invite" className="flex max-w-xl flex-col gap-3">
        <h2 id="invite" className="text-lg font-bold">
          Invite a friend
        </h2>
        <InvitationLink />
        <details className="border-t border-line">
          <Summary chevron="end">Invite by email</Summary>
          <div className="pt-1">
            <InviteForm onMade={setMade} />
          </div>
        </details>
        <div role="status" className="empty:hidden">
          {made && (
            <div className="flex flex-wrap items-center gap-3 rounded-control border-2 border-accent bg-accent-soft p-4">
              <CircleCheck aria-hidden className="size-6 shrink-0 text-accent" />
              <p className="min-w-0 flex-1 basis-40">
                <span className="block font-bold">Invitation created</span>
                <EmailText>
                  {made.delivery
                    ? `We’re emailing it to ${made.invited_email}`
                    : 'We won’t email it. Share its link yourself, below.'}
                </EmailText>
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
      <ButtonLink
        look="quiet"
        to="/home?open=refer-friends"
        Icon={MessageSquare}
        className="-ml-5 self-start"
      >
        Invite by text message
      </ButtonLink>
    </div>
  );
}
