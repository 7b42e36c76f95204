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

const heard = z.object({ at: z.number(), invitations: z.array(searchInvitation) });

const keyOf = (userId: string) => [NAME, userId];
const kept = (userId: string) => readCache(heard, userId, NAME);

function keep(userId: string, invitations: SearchInvitation[]): SearchInvitation[] {
  writeCache(userId, NAME, { at: Date.now(), invitations });
  return invitations;
}

/** One's own invitations: as this device last heard of them at once, network or not, then anew. */
export function useInvitations() {
  const user = useUser();
  const userId = user?.id ?? '';
  return useQuery({
    queryKey: keyOf(userId),
    queryFn: async ({ signal }) =>
      keep(userId, (await call(listInvitations, { signal })).invitations),
    // Others use codes meanwhile: whoever looks is to see it.
    staleTime: 0,
    initialData: () => kept(userId)?.invitations,
    initialDataUpdatedAt: () => kept(userId)?.at,
  });
}

/**
 * Makes an invitation, and puts it on the list.
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
