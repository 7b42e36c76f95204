import { useEffect, useMemo } from 'react';
import { z } from 'zod';
import { readCache, writeCache } from '../local-cache.ts';
import { useUser } from '../session/use-auth.tsx';
import { useContacts } from './use-contacts.ts';

const counts = z.object({ friends: z.number(), requests: z.number() });
const NAME = 'contact-counts';

/**
 * How many friends the owner has, and how many requests wait for an answer. While the contacts document itself is being opened, as
 * this device showed them last: a number that comes late looks like news.
 */
export function useContactCounts(): z.output<typeof counts> {
  const userId = useUser()?.id;
  const { status, contacts } = useContacts();
  const [friends, requests] = [contacts.friends.length, contacts.received.length];
  const kept = useMemo(
    () => (userId === undefined ? null : readCache(counts, userId, NAME)),
    [userId],
  );
  useEffect(() => {
    if (userId !== undefined && status === 'ready') writeCache(userId, NAME, { friends, requests });
  }, [userId, status, friends, requests]);
  return status === 'loading' && kept ? kept : { friends, requests };
}
