import {
  CircleCheck,
  Clock,
  Send,
  Share2,
  TicketCheck,
  TimerOff,
  Trash2,
  UserRoundPlus,
  type LucideIcon,
} from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { formatDateTime } from '#shared/dates.ts';
import {
  listInvitations,
  resendInvitation,
  revokeInvitation,
  type SearchInvitation,
} from '#shared/invitations/contract.ts';
import { invitationStatus, searchLink } from '#shared/invitations/rules.ts';
import { errorMessage } from '../../platform/http/error-message.ts';
import { PRODUCT } from '../../platform/product.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { ActionsMenu } from '../../platform/ui/buttons/actions-menu.tsx';
import { Button, ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { CopyCode } from '../../platform/ui/buttons/copy-code.tsx';
import { ConfirmDialog } from '../../platform/ui/dialogs/confirm-dialog.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { useNow } from '../../platform/use-now.ts';
import { InviteForm } from './invite-form.tsx';
import { resend, revoke, useInvitations, type ShownInvitation } from './use-invitations.ts';

type Status = ReturnType<typeof invitationStatus>;

const ICONS: Record<Status, LucideIcon> = { Active: Clock, Used: TicketCheck, Expired: TimerOff };

/** Labels of the email's delivery status. */
const DELIVERIES: Record<NonNullable<ShownInvitation['delivery']>, string> = {
  waiting: 'Email on its way',
  sent: 'Email sent',
  unknown: 'By email',
  failed: 'The email couldn’t be delivered: share the code yourself',
};

/** Shares the link that fills in a code; copies it where the device has no share sheet. */
function ShareInvitation({ code }: { code: string }) {
  const link = searchLink(location.origin, code);
  if (!('share' in navigator)) return <CopyCode code={code} />;
  return (
    <Button
      look="secondary"
      Icon={Share2}
      onClick={() =>
        // Closing the share sheet isn't an error.
        void navigator
          .share({
            title: PRODUCT,
            text: `Find me on ${PRODUCT} with the code ${code}.`,
            url: link,
          })
          .catch(() => null)
      }
    >
      Share<span className="sr-only"> {code}</span>
    </Button>
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
      <div className="flex flex-wrap items-center gap-2">
        <span className="inline-flex items-center gap-1.5 rounded-full bg-sunken px-3 py-1 text-sm font-bold">
          <Icon aria-hidden className="size-4 shrink-0" />
          {status}
        </span>
        {status === 'Active' && (
          <>
            <ShareInvitation code={invitation.invitation_code} />
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
      toast('Invitation revoked. Its code doesn’t work anymore.');
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
        description={`The code ${revoked?.invitation_code ?? ''} won’t find anyone anymore.`}
        yes="Revoke"
        isDestructive
        onYes={() => {
          if (revoked) void end(revoked.id);
        }}
        onClose={() => setRevoked(null)}
      />
    </>
  );
}

/** Creates codes with which others may search for members, and lists them. */
export default function InvitationsTab() {
  const [made, setMade] = useState<SearchInvitation | null>(null);
  return (
    <div className="flex flex-col gap-6">
      <section aria-labelledby="invite" className="flex flex-col gap-3">
        <h2 id="invite" className="text-lg font-bold">
          Invite a member to find you
        </h2>
        <p className="text-soft">You get a search code: with it, they can find you by name.</p>
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
      <section aria-labelledby="newcomers" className="flex flex-col items-start gap-3">
        <h2 id="newcomers" className="text-lg font-bold">
          New to {PRODUCT}?
        </h2>
        <p className="text-soft">
          Somebody who isn’t a member yet needs an access code instead. You can send one.
        </p>
        <ButtonLink look="secondary" to="/home?open=refer-friends" Icon={UserRoundPlus}>
          Refer a friend
        </ButtonLink>
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
