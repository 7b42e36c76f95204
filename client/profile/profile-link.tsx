import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';

/** Parameters of the address while a profile is open over a screen. */
export const PROFILE_OPEN = { open: 'profile', user: 'user' } as const;

/** Opens somebody's profile over the screen, from wherever they are named; one's own without `userId`. */
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
