import { useEffect, type ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import type { CurrentUser } from '#shared/session/contract.ts';
import { useAuth } from '../session/use-auth.tsx';
import { Waiting } from '../ui/feedback/loading.tsx';
import { rememberWanted } from './wanted-path.ts';
import { clearAccessVerified, isAccessVerified, setAccessVerified } from './flags.ts';

/** Whether the server granted this user access, as last known. */
const hasGrant = (user: CurrentUser | null, now = Date.now()): boolean =>
  user !== null &&
  (user.is_admin || (user.access_expires_at !== null && Date.parse(user.access_expires_at) > now));

/**
 * Shows its children on a device that has passed the gate, or to a user with access; redirects everyone else to the gate,
 * including signed-in users without access on such a device.
 */
export function RequireAccess({ children }: { children: ReactNode }) {
  const { user, isPending } = useAuth();
  const granted = hasGrant(user);
  const refused = !isPending && user !== null && !user.has_access && !granted;
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
