import { useEffect, useMemo } from 'react';
import { z } from 'zod';
import { readCache, writeCache } from '../../platform/local-cache.ts';
import { useUser } from '../../platform/session/use-auth.tsx';
import { useContacts } from './use-contacts.ts';

const counts = z.object({ friends: z.number(), requests: z.number() });
const NAME = 'contact-counts';

/**
 * Returns the numbers of friends and of unanswered requests. Uses cached numbers until the contacts document is open, because a
 * late change would look like a new request.
 */
export function useContactCounts(): z.output<typeof counts> {
  const userId = useUser()?.id;
  const { status, contacts } = useContacts();
  const [friends, requests] = [contacts.friends.length, contacts.received.length];
  const cached = useMemo(
    () => (userId === undefined ? null : readCache(counts, userId, NAME)),
    [userId],
  );
  useEffect(() => {
    if (userId !== undefined && status === 'ready') writeCache(userId, NAME, { friends, requests });
  }, [userId, status, friends, requests]);
  return status === 'loading' && cached ? cached : { friends, requests };
}
