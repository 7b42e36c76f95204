import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { getAccess } from '#shared/access-gate/contract.ts';
import { ACCESS_DAYS } from '#shared/access-gate/rules.ts';
import { formatLongDate } from '#shared/dates.ts';
import type { CurrentUser } from '#shared/session/contract.ts';
import { call } from '../../platform/http/api.ts';
import { queries } from '../../platform/http/query-client.ts';
import { lazyComponent } from '../../platform/lazy/lazy-component.tsx';
import { SignInAgainOffer } from '../../platform/session/sign-in-again-offer.tsx';
import { LogoutButton } from '../../platform/sign-out/logout-button.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { Card } from '../../platform/ui/layout/card.tsx';
import { EmailText } from '../../platform/ui/layout/email-text.tsx';
import { DataCard } from '../account/data-card.tsx';
import { DecisionsCard } from '../moderation/people/decisions-card.tsx';
import { useWarningDialog } from '../moderation/sanction-notice.tsx';

const WarningModal = lazyComponent(() => import('../moderation/warning-modal.tsx'));

/** At the gate: who is signed in, why there is no access, and what one can do without it. */
export default function GateAccount({ user }: { user: CurrentUser }) {
  return (
    <QueryClientProvider client={queries}>
      <Account user={user} />
      <SignInAgainOffer />
    </QueryClientProvider>
  );
}

function Account({ user }: { user: CurrentUser }) {
  const { isOpen, close } = useWarningDialog();
  return (
    <>
      <Card title="Your account">
        <div className="flex flex-wrap items-center justify-between gap-x-4">
          <p className="min-w-0 break-words">
            Signed in as{' '}
            <strong>
              <EmailText>{user.email}</EmailText>
            </strong>
          </p>
          <LogoutButton className="-mx-5" />
        </div>
        <WhyEnded userId={user.id} />
      </Card>
      <DecisionsCard />
      <DataCard />
      {isOpen && <WarningModal onClose={close} />}
    </>
  );
}

/** When and why access ended. */
function WhyEnded({ userId }: { userId: string }) {
  const asked = useQuery({
    queryKey: ['access', userId],
    queryFn: ({ signal }) => call(getAccess, { signal }),
    staleTime: 0,
  });
  const { data } = asked;
  if (!data) return <Skeleton label="Loading your access…" lines={1} asked={asked} />;
  const { state, ends_at, reason, donation } = data;
  const on = ends_at ? ` on ${formatLongDate(ends_at)}` : '';
  if (state === 'active') return <p className="text-soft">You have access.</p>;
  if (state === 'never')
    return <p className="text-soft">This account hasn’t had access yet. Enter a code or donate.</p>;
  return (
    <p className="text-soft">
      {reason === 'expired' && (
        <span>{`Your access ended${on}. A code or a donation gives you ${ACCESS_DAYS} days.`}</span>
      )}
      {reason === 'refunded' &&
        (donation?.provider_state === 'dispute_lost' ? (
          <span>{`Your access ended${on}, because your bank returned your donation to you after a dispute.`}</span>
        ) : (
          <span>{`Your access ended${on}, because your donation was refunded.`}</span>
        ))}
      {reason === 'withdrawn' && (
        <span>{`Your access ended${on}, because your code was withdrawn.`}</span>
      )}{' '}
      <span>Your dogs, friends and messages are still there.</span>
    </p>
  );
}
