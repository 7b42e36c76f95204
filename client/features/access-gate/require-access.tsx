import { useEffect, type ReactNode } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router-dom';
import { onRefusal } from '../../platform/http/api.ts';
import { useAuth, useAuthActions } from '../../platform/session/use-auth.tsx';
import { Waiting } from '../../platform/ui/feedback/waiting.tsx';
import { clearAccessVerified, isAccessVerified, setAccessVerified } from './flags.ts';
import { rememberWanted } from './wanted-path.ts';

/**
 * Shows its children to a user with access as the server last said it, and to others on a device that has passed the gate.
 * Redirects everyone else to the gate, once the server was asked. The device's clock may be wrong, so it takes nobody's access. Decision 10.
 */
export function RequireAccess({ children }: { children: ReactNode }) {
  useLostAccess();
  const { user, isPending } = useAuth();
  const granted = user?.has_access === true;
  const refused = !isPending && user !== null && !granted;
  const verified = isAccessVerified() && !refused;
  useEffect(() => {
    if (refused) clearAccessVerified();
    else if (!verified && granted) setAccessVerified();
  }, [refused, verified, granted]);
  if (verified || granted) return children;
  return isPending ? <Waiting /> : <Leave to="/access-code" />;
}

/** Redirects, and remembers this screen for later. */
export function Leave({ to }: { to: string }) {
  const { pathname, search, hash } = useLocation();
  useEffect(() => rememberWanted(pathname + search + hash), [pathname, search, hash]);
  return <Navigate to={to} replace />;
}

/** Redirects to the gate when the server rejects a call because access has expired. */
function useLostAccess(): void {
  const { fetchUser } = useAuthActions();
  const navigate = useNavigate();
  useEffect(
    () =>
      onRefusal((refusal) => {
        if (refusal.status !== 403 || refusal.code !== 'no_access') return;
        rememberWanted(location.pathname + location.search);
        clearAccessVerified();
        void fetchUser();
        void navigate('/access-code', { replace: true });
      }),
    [fetchUser, navigate],
  );
}
