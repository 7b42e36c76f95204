import { useEffect, type ReactNode } from 'react';
import { Navigate } from 'react-router-dom';
import type { CurrentUser } from '#shared/session/contract.ts';
import { useAuth } from '../session/use-auth.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { isAccessVerified, setAccessVerified } from './flags.ts';

/** Whether the server let this user in, as far as this device knows. */
export const hasGrant = (user: CurrentUser | null, now = Date.now()): boolean =>
  user !== null &&
  (user.is_admin || (user.access_expires_at !== null && Date.parse(user.access_expires_at) > now));

/**
 * The access guard: shows what is behind it on a device that was let in, or to a user whom the server let in;
 * sends everybody else to the gate.
 */
export function RequireAccess({ children }: { children: ReactNode }) {
  const { user, isPending } = useAuth();
  const verified = isAccessVerified();
  const granted = hasGrant(user);
  useEffect(() => {
    if (!verified && granted) setAccessVerified();
  }, [verified, granted]);
  if (verified || granted) return children;
  return isPending ? <Waiting /> : <Navigate to="/access-code" replace />;
}
