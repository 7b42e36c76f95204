import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { z } from 'zod';
import {
  createInvitation,
  listInvitations,
  searchInvitation,
  type SearchInvitation,
} from '#shared/invitations/contract.ts';
import { newestFirst, readInvitations } from '#shared/invitations/document.ts';
import { useDocument } from '../../platform/sync/documents/use-document.ts';
import { call } from '../../platform/http/api.ts';
import { readCache, writeCache } from '../../platform/local-cache.ts';
import { queries } from '../../platform/http/query-client.ts';
import { useUser } from '../../platform/session/use-auth.tsx';

const NAME = 'search-invitations';

const cachedList = z.object({ at: z.number(), invitations: z.array(searchInvitation) });

const keyOf = (userId: string) => [NAME, userId];
const cached = (userId: string) => readCache(cachedList, userId, NAME);

function keep(userId: string, invitations: SearchInvitation[]): SearchInvitation[] {
  writeCache(userId, NAME, { at: Date.now(), invitations });
  return invitations;
}

/** An invitation on the screen. What became of its email is unknown until the server says it. */
export interface ShownInvitation extends Omit<SearchInvitation, 'inviter_user_id' | 'delivery'> {
  delivery: SearchInvitation['delivery'] | 'unknown';
}

/**
 * Returns the user's invitations as the contacts document has them, also offline. Addresses and what became of the emails are
 * only known from an answer of the server, of which the last one is kept.
 */
export function useInvitations() {
  const user = useUser();
  const userId = user?.id ?? '';
  const { status, doc } = useDocument('contacts');
  const query = useQuery({
    queryKey: keyOf(userId),
    queryFn: async ({ signal }) =>
      keep(userId, (await call(listInvitations, { signal })).invitations),
    // Emails may have been sent in the meantime.
    staleTime: 0,
    initialData: () => cached(userId)?.invitations,
    initialDataUpdatedAt: () => cached(userId)?.at,
  });
  const answered = query.data;
  const invitations = useMemo(() => withDocument(doc, answered), [doc, answered]);
  const isLoading = !invitations && (status === 'loading' || query.isLoading);
  return { ...query, invitations, isLoading };
}

/** @returns undefined if neither is known */
function withDocument(
  doc: unknown,
  answered: SearchInvitation[] | undefined,
): ShownInvitation[] | undefined {
  const synced = readInvitations(doc);
  if (!synced) return answered;
  const left = new Map(answered?.map((invitation) => [invitation.id, invitation]));
  const here = synced.map(({ id, code, is_used, is_emailed, ...times }): ShownInvitation => {
    const known = left.get(id);
    left.delete(id);
    return {
      id,
      invitation_code: code,
      invited_email: known?.invited_email ?? null,
      delivery: known ? known.delivery : is_emailed ? 'unknown' : null,
      is_used: is_used || known?.is_used === true,
      ...times,
    };
  });
  return newestFirst([...here, ...left.values()]);
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
