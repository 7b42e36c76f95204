import { useQuery } from '@tanstack/react-query';
import { UserRoundPlus, UsersRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router-dom';
import {
  askers,
  friendLinkOf,
  openFriendLink,
  OWN_LINK,
  previewFriendLink,
  redeemLiveCode,
} from '#shared/friend-links/contract.ts';
import { newId } from '#shared/ids.ts';
import { CallError } from '../../platform/http/api-client.ts';
import { call } from '../../platform/http/api.ts';
import { errorMessage, messageOf } from '../../platform/http/error-message.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { Button, ButtonLink } from '../../platform/ui/buttons/button.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { Skeleton } from '../../platform/ui/feedback/skeleton.tsx';
import { Screen } from '../../platform/ui/layout/screen.tsx';
import { personPath } from '../card/profile-link.tsx';
import { useContactActions } from '../friends/use-contacts.ts';
import { isScannedHere } from './scanned-here.ts';

/**
 * Opens a scanned friend link: its owner's profile, from which a request can be sent. A code that is shown for a scan makes a
 * friendship, at once if this app scanned it, and after a tap if another app opened it.
 */
export default function AddFriendPage() {
  const { pathname, search } = useLocation();
  const path = pathname + search;
  const body = friendLinkOf(path) ?? { token: 'none' };
  const { data, error, isError, isPaused, refetch } = useQuery({
    queryKey: ['friend-link', useUser()?.id, path],
    queryFn: () => call(openFriendLink, { body }),
    // A code that doesn't work counts as a guess.
    retry: false,
    staleTime: 0,
  });
  if (data && !(data.is_live && body.live_code))
    return <Navigate to={personPath(data.user_id)} replace />;
  const isFinal = error instanceof CallError && [400, 404].includes(error.status);
  return (
    <Screen title="Add a friend" className="flex flex-col gap-4 px-4 pb-4 sm:px-6">
      <h1 tabIndex={-1} className="py-2 text-2xl font-bold tracking-tight sm:text-3xl">
        Add a friend
      </h1>
      {data && body.live_code && (
        <LiveCode token={body.token} code={body.live_code} userId={data.user_id} />
      )}
      {!data && !isError && !isPaused && <Skeleton label="Opening the QR code…" lines={3} />}
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

/** Makes a friendship of a code that is shown now. */
function LiveCode({ token, code, userId }: { token: string; code: string; userId: string }) {
  const { state } = useLocation();
  const navigate = useNavigate();
  const { greet } = useContactActions();
  const [problem, setProblem] = useState<unknown>(null);
  const [isPending, setPending] = useState(false);
  // The same for each try: the first may have worked, and its answer been lost.
  const [idempotencyKey] = useState(newId);
  const preview = useQuery({
    queryKey: ['friend-link-preview', token],
    queryFn: () => call(previewFriendLink, { body: { token } }),
    retry: false,
  });

  async function befriend() {
    setPending(true);
    setProblem(null);
    try {
      const { user_id, display_name } = await call(redeemLiveCode, {
        body: { token: code },
        idempotencyKey,
      });
      greet({ user_id, name: display_name });
      await navigate(personPath(user_id), { replace: true });
    } catch (error) {
      setProblem(error);
      setPending(false);
    }
  }

  const isAsked = useRef(false);
  useEffect(() => {
    if (isAsked.current || !isScannedHere(state)) return;
    isAsked.current = true;
    void befriend();
  });

  if (problem)
    return problem instanceof CallError && problem.status === 0 ? (
      <ErrorBanner
        title={errorMessage(problem, redeemLiveCode.failure)}
        onRetry={() => void befriend()}
      >
        It may have worked: trying again does no harm.
      </ErrorBanner>
    ) : (
      <ErrorBanner
        title={errorMessage(problem, redeemLiveCode.failure)}
        action={
          <ButtonLink look="secondary" to={personPath(userId)}>
            Send a request instead
          </ButtonLink>
        }
      >
        Ask the other person for their current code, or send them a request.
      </ErrorBanner>
    );
  return (
    <div className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4 shadow-lift sm:p-5">
      <p className="text-lg font-bold break-words">
        {preview.data ? `Become friends with ${askers(preview.data)}?` : 'Become friends?'}
      </p>
      <Button onClick={() => void befriend()} pending={isPending && 'Adding…'} Icon={UserRoundPlus}>
        Add friend
      </Button>
    </div>
  );
}
