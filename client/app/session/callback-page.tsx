import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { getProfile } from '#shared/profile/contract.ts';
import { RequireAccess } from '../../features/access-gate/require-access.tsx';
import { takeWanted } from '../../features/access-gate/wanted-path.ts';
import { call } from '../../platform/http/api.ts';
import { takePlace } from '../../platform/session/sign-in-again.ts';
import { useAuthActions, useUser } from '../../platform/session/use-auth.tsx';
import { ErrorBanner } from '../../platform/ui/feedback/error-banner.tsx';
import { PublicPage } from '../../platform/ui/layout/public-page.tsx';

/** How long the error is shown before the welcome screen opens. */
const ERROR_MS = 2000;

/** The redirect target of the identity provider, with a code in the address. */
export default function CallbackPage() {
  const { exchangeCodeForSessionToken } = useAuthActions();
  const [search] = useSearchParams();
  const [state, setState] = useState<'exchanging' | 'signed-in' | 'failed'>('exchanging');
  const [hasProfile, setHasProfile] = useState<boolean>();
  const navigate = useNavigate();
  const isReturn = search.has('code') || search.has('error');

  useEffect(() => {
    let left = false;
    const exchange = async () => {
      const { has_profile } = await exchangeCodeForSessionToken();
      if (left) return;
      setHasProfile(has_profile);
      setState('signed-in');
    };
    exchange().catch(() => !left && setState('failed'));
    return () => {
      left = true;
    };
  }, [exchangeCodeForSessionToken]);

  useEffect(() => {
    if (state !== 'failed') return;
    const timer = setTimeout(() => navigate('/welcome', { replace: true }), ERROR_MS);
    return () => clearTimeout(timer);
  }, [state, navigate]);

  const screen = (
    <PublicPage title="Signing in">
      <div className="mx-auto max-w-md py-12">
        {state === 'failed' ? (
          <>
            <h1 tabIndex={-1} className="sr-only">
              Authentication Error
            </h1>
            <ErrorBanner title="Authentication Error">
              Authentication failed. Please try again.
            </ErrorBanner>
          </>
        ) : (
          <div role="status">
            <h1 tabIndex={-1} className="text-center text-2xl font-bold">
              Setting up your account...
            </h1>
          </div>
        )}
        {state === 'signed-in' && (
          <RequireAccess>
            <ToProfile hasProfile={hasProfile} />
          </RequireAccess>
        )}
      </div>
    </PublicPage>
  );
  // Only a returning sign-in may skip the gate, which doesn't know the user yet.
  return isReturn ? screen : <RequireAccess>{screen}</RequireAccess>;
}

/**
 * Redirects to where the user left to sign in again, or to the dashboard. Without a profile, administrators get to the panel,
 * others to onboarding.
 */
function ToProfile({ hasProfile }: { hasProfile: boolean | undefined }) {
  const navigate = useNavigate();
  const user = useUser();
  const userId = user?.id;
  const start = user?.is_admin ? '/admin' : '/onboarding';
  useEffect(() => {
    const place = userId === undefined ? null : takePlace(userId);
    if (place) return void navigate(place, { replace: true });
    if (hasProfile !== undefined)
      return void navigate(hasProfile ? takeWanted() : start, { replace: true });
    const leaving = new AbortController();
    call(getProfile, { signal: leaving.signal }).then(
      () => navigate(takeWanted(), { replace: true }),
      () => !leaving.signal.aborted && navigate(start, { replace: true }),
    );
    return () => leaving.abort();
  }, [navigate, userId, start, hasProfile]);
  return null;
}
