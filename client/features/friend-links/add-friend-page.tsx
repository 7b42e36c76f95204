import { useQuery } from '@tanstack/react-query';
import { UsersRound } from 'lucide-react';
import { Navigate } from 'react-router-dom';
import { openFriendLink, OWN_LINK } from '#shared/friend-links/contract.ts';
import { call } from '../../platform/http/api.ts';
import { errorMessage, messageOf } from '../../platform/http/error-message.ts';
import { CallError } from '../../platform/http/api-client.ts';
import { personPath } from '../card/profile-link.tsx';
import { useUser } from '../../platform/session/use-auth.tsx';
import { ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Screen } from '../../platform/ui/layout/screen.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';

/** Opens a scanned friend link: its owner's profile, from which a request can be sent. */
export function AddFriendPage({ token }: { token: string }) {
  const { data, error, isError, isPaused, refetch } = useQuery({
    queryKey: ['friend-link', useUser()?.id, token],
    queryFn: () => call(openFriendLink, { body: { token } }),
    // A code that doesn't work counts as a guess.
    retry: false,
    staleTime: 0,
  });
  if (data) return <Navigate to={personPath(data.user_id)} replace />;
  const isFinal = error instanceof CallError && [400, 404].includes(error.status);
  return (
    <Screen title="Add a friend" className="flex flex-col gap-4 px-4 pb-4 sm:px-6">
      <h1 tabIndex={-1} className="py-2 text-2xl font-bold tracking-tight sm:text-3xl">
        Add a friend
      </h1>
      {!isError && !isPaused && <Skeleton label="Opening the QR code…" lines={3} />}
      {isPaused && (
        <ErrorBanner title={openFriendLink.failure} onRetry={() => void refetch()}>
          You’re offline. We’ll open it as soon as you’re online.
        </ErrorBanner>
      )}
      {isError && (
        <ErrorBanner
          title={errorMessage(error, openFriendLink.failure)}
          {...(!isFinal && { onRetry: () => void refetch() })}
        >
          {!isFinal
            ? 'Please try again in a moment.'
            : messageOf(error) === OWN_LINK
              ? 'Let someone else scan it, or scan theirs.'
              : 'Ask the other person to show you their current code.'}
        </ErrorBanner>
      )}
      <ButtonLink look="secondary" to="/social" Icon={UsersRound} className="self-start">
        Your friends
      </ButtonLink>
    </Screen>
  );
}
