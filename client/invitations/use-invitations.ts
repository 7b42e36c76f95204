import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import {
  createInvitation,
  listInvitations,
  searchInvitation,
  type SearchInvitation,
} from '#shared/invitations/contract.ts';
import { call } from '../http/api.ts';
import { readCache, writeCache } from '../local-cache.ts';
import { queries } from '../http/query-client.ts';
import { useUser } from '../session/use-auth.tsx';

const NAME = 'search-invitations';

const cachedList = z.object({ at: z.number(), invitations: z.array(searchInvitation) });

const keyOf = (userId: string) => [NAME, userId];
const cached = (userId: string) => readCache(cachedList, userId, NAME);

function keep(userId: string, invitations: SearchInvitation[]): SearchInvitation[] {
  writeCache(userId, NAME, { at: Date.now(), invitations });
  return invitations;
}

/** Returns the user's invitations: cached ones at once, even offline, then the server's. */
export function useInvitations() {
  const user = useUser();
  const userId = user?.id ?? '';
  return useQuery({
    queryKey: keyOf(userId),
    queryFn: async ({ signal }) =>
      keep(userId, (await call(listInvitations, { signal })).invitations),
    // Codes may have been used by others in the meantime.
    staleTime: 0,
    initialData: () => cached(userId)?.invitations,
    initialDataUpdatedAt: () => cached(userId)?.at,
  });
}

/**
 * Creates an invitation, and adds it to the list.
 * @throws CallError
 */
export async function invite(
  userId: string,
  body: { invited_email: string; expires_in_days: number },
  idempotencyKey: string,
): Promise<SearchInvitation> {
  const { invitation } = await call(createInvitation, { body, idempotencyKey });
  queries.setQueryData<SearchInvitation[]>(keyOf(userId), (known = []) =>
    keep(userId, [invitation, ...known.filter(({ id }) => id !== invitation.id)]),
  );
  void queries.invalidateQueries({ queryKey: keyOf(userId) });
  return invitation;
}
