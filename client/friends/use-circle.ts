import { useMemo, useSyncExternalStore } from 'react';
import { respondFailure, type RequestAction } from '#shared/friends/contract.ts';
import { readCircle, type CirclePerson } from '#shared/friends/document.ts';
import type { Card } from '#shared/profile/document.ts';
import type { DocumentStatus } from '../repo.ts';
import { sendLater } from '../sync/outbox.ts';
import { useDocument, useDocuments } from '../sync/use-document.ts';
import { useAllWaiting } from '../sync/use-outbox.ts';
import { withWaiting, type OwnCircle } from './standing.ts';

type Somebody = Pick<CirclePerson, 'user_id' | 'name'>;

export interface CircleActions {
  ask: (person: Somebody, message: string) => Promise<void>;
  /** @param person somebody who has asked */
  respond: (person: CirclePerson, action: RequestAction) => Promise<void>;
  removeFriend: (person: Somebody) => Promise<void>;
  block: (person: Somebody, reason: string) => Promise<void>;
  unblock: (person: Somebody) => Promise<void>;
}

/** Whom the owner knows, with what this device has still to send about them. Works without a network. */
export function useCircle(): { status: DocumentStatus; circle: OwnCircle } {
  const { status, doc } = useDocument('circle');
  const waiting = useAllWaiting();
  const circle = useMemo(() => readCircle(doc), [doc]);
  return useMemo(
    () => ({ status, circle: withWaiting(circle, waiting) }),
    [status, circle, waiting],
  );
}

/** What the owner may do about others: kept on this device at once, sent when there is a network. */
export function useCircleActions(): CircleActions {
  const documents = useDocuments();
  return useMemo(() => {
    const here = () => {
      if (!documents) throw new Error('Nobody is signed in');
      return documents;
    };
    return {
      ask: ({ user_id, name }, message) =>
        sendLater(
          here(),
          'friends.request',
          { body: { receiver_user_id: user_id, message: message.trim() || null } },
          name,
        ),
      respond: async ({ request_id, name }, action) => {
        if (!request_id) return;
        const failure = respondFailure(action);
        await sendLater(here(), 'friends.respond', { body: { request_id, action }, failure }, name);
      },
      removeFriend: ({ user_id, name }) =>
        sendLater(here(), 'friends.remove', { params: { friendUserId: user_id } }, name),
      block: ({ user_id, name }, reason) =>
        sendLater(
          here(),
          'blocks.create',
          { body: { blocked_user_id: user_id, reason: reason.trim() || null } },
          name,
        ),
      unblock: ({ user_id, name }) =>
        sendLater(here(), 'blocks.delete', { params: { blockedUserId: user_id } }, name),
    };
  }, [documents]);
}

const neverChanges = () => () => {};

/** A friend's card as it is on this device; null of others, and until it has come. */
export function useFriendCard(friend: CirclePerson | undefined): Card | null {
  const documents = useDocuments();
  const url = friend?.card;
  return useSyncExternalStore(documents?.subscribe ?? neverChanges, () =>
    documents && url ? documents.getFriendCard(url) : null,
  );
}

/** What friends call themselves now, by id; what is not on this device yet, as it was when they became friends. */
export function useFriendNames(): ReadonlyMap<string, string> {
  const documents = useDocuments();
  const { circle } = useCircle();
  const nameOf = ({ card, name }: CirclePerson) =>
    (card && documents?.getFriendCard(card)?.display_name) || name;
  // One text, so that only another name makes it anew.
  const names = useSyncExternalStore(documents?.subscribe ?? neverChanges, () =>
    JSON.stringify(circle.friends.map((friend) => [friend.user_id, nameOf(friend)])),
  );
  return useMemo(() => new Map(JSON.parse(names) as [string, string][]), [names]);
}
