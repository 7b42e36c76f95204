import { useMemo } from 'react';
import type { z } from 'zod';
import {
  createInvitation,
  type invitationFields,
  listInvitations,
  resendInvitation,
  revokeInvitation,
  type SearchInvitation,
} from '#shared/invitations/contract.ts';
import { newestFirst, readInvitations } from '#shared/invitations/document.ts';
import { call } from '../../platform/http/api.ts';
import { queries } from '../../platform/http/query-client.ts';
import { changeCached, useCachedQuery } from '../../platform/session/use-cached-query.ts';
import { useDocument } from '../../platform/sync/documents/use-document.ts';

const NAME = 'search-invitations';

type List = z.output<typeof listInvitations.answer>;

/** An invitation on the screen. What became of its email is unknown until the server says it. */
export interface ShownInvitation extends Omit<SearchInvitation, 'inviter_user_id' | 'delivery'> {
  delivery: SearchInvitation['delivery'] | 'unknown';
}

/**
 * Returns the user's invitations as the contacts document has them, also offline. Addresses and what became of the emails are
 * only known from an answer of the server, of which the last one is kept.
 */
export function useInvitations() {
  const { status, doc } = useDocument('contacts');
  const query = useCachedQuery(NAME, listInvitations.answer, () => call(listInvitations), {
    // Emails may have been sent in the meantime.
    staleTime: 0,
  });
  const answered = query.data?.invitations;
  const invitations = useMemo(() => withDocument(doc, answered), [doc, answered]);
  const isLoading = !invitations && (status === 'loading' || query.isLoading);
  const { codes_left, codes_per_month } = query.data ?? {};
  return { ...query, invitations, codes_left, codes_per_month, isLoading };
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
      admits: known?.admits,
      is_used: is_used || known?.is_used === true,
      ...times,
    };
  });
  return newestFirst([...here, ...left.values()]);
}

/** Replaces the list by what a change made of it, and reads it again. */
function changeList(userId: string, change: (known: SearchInvitation[]) => SearchInvitation[]) {
  changeCached<List>(NAME, userId, (known) => ({
    ...known,
    invitations: change(known?.invitations ?? []),
  }));
  void queries.invalidateQueries({ queryKey: [NAME, userId] });
}

/** Ends an invitation. @throws CallError */
export async function revoke(userId: string, id: string): Promise<void> {
  await call(revokeInvitation, { params: { id } });
  changeList(userId, (known) => known.filter((each) => each.id !== id));
}

/** Emails an invitation again. @throws CallError */
export async function resend(userId: string, id: string): Promise<void> {
  const { invitation } = await call(resendInvitation, { params: { id } });
  changeList(userId, (known) => known.map((each) => (each.id === id ? invitation : each)));
}

/**
 * Creates an invitation, and adds it to the list.
 * @throws CallError
 */
export async function invite(
  userId: string,
  body: z.output<typeof invitationFields>,
  idempotencyKey: string,
): Promise<SearchInvitation> {
  const { invitation } = await call(createInvitation, { body, idempotencyKey });
  changeList(userId, (known) => [invitation, ...known.filter(({ id }) => id !== invitation.id)]);
  return invitation;
}
