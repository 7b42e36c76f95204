import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';

/** Search parameters of an open profile. */
export const PROFILE_OPEN = { open: 'profile', user: 'user' } as const;

/** Returns the path of another user's profile page. */
export const personPath = (userId: string): string => `/people/${encodeURIComponent(userId)}`;

/** A link that opens a user's profile in a dialog; the user's own without `userId`. */
export function ProfileLink({
  userId,
  className = '',
  children,
}: {
  userId?: string;
  className?: string;
  children: ReactNode;
}) {
  const [search] = useSearchParams();
  const to = new URLSearchParams(search);
  to.set('open', PROFILE_OPEN.open);
  if (userId) to.set(PROFILE_OPEN.user, userId);
  else to.delete(PROFILE_OPEN.user);
  return (
    <Link to={`?${to}`} className={className}>
      {children}
    </Link>
  );
}
