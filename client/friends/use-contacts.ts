import { useMemo, useSyncExternalStore } from 'react';
import { toast } from 'sonner';
import { createBlock, deleteBlock } from '#shared/blocks/contract.ts';
import {
  createFriendRequest,
  deleteFriend,
  respondFailure,
  type RequestAction,
} from '#shared/friends/contract.ts';
import { readContacts, type Contact } from '#shared/friends/document.ts';
import type { Card } from '#shared/profile/document.ts';
import type { DocumentStatus } from '../sync/documents/document-state.ts';
import { sendLater } from '../sync/outbox/outbox.ts';
import { useDocument, useDocuments } from '../sync/documents/use-document.ts';
import { useShownAsDone } from '../sync/outbox/use-outbox.ts';
import { withPendingCalls, type OwnContacts } from './optimistic-contacts.ts';

type Somebody = Pick<Contact, 'user_id' | 'name'>;

/** Each says itself where it cannot be kept on this device, and tells whether it was. */
export interface ContactActions {
  ask: (person: Somebody, message: string) => Promise<boolean>;
  /** @param person somebody who has asked */
  respond: (person: Contact, action: RequestAction) => Promise<boolean>;
  removeFriend: (person: Somebody) => Promise<boolean>;
  block: (person: Somebody, reason: string) => Promise<boolean>;
  unblock: (person: Somebody) => Promise<boolean>;
}

async function isKept(failure: string, keep: () => Promise<void>): Promise<boolean> {
  try {
    await keep();
    return true;
  } catch (error) {
    console.error(failure, error);
    toast.error(failure);
    return false;
  }
}

/** Whom the owner knows, with what they did about them that the contacts document does not say yet. Works without a network. */
export function useContacts(): { status: DocumentStatus; contacts: OwnContacts } {
  const { status, doc } = useDocument('contacts');
  const done = useShownAsDone();
  const contacts = useMemo(() => readContacts(doc), [doc]);
  return useMemo(
    () => ({ status, contacts: withPendingCalls(contacts, done) }),
    [status, contacts, done],
  );
}

/** What the owner may do about others: kept on this device at once, sent when there is a network. */
export function useContactActions(): ContactActions {
  const documents = useDocuments();
  return useMemo(() => {
    const here = () => {
      if (!documents) throw new Error('Nobody is signed in');
      return documents;
    };
    return {
      ask: ({ user_id, name }, message) => {
        const body = { receiver_user_id: user_id, message: message.trim() || null };
        return isKept(createFriendRequest.failure, () =>
          sendLater(here(), 'friends.request', { body }, name),
        );
      },
      respond: async ({ request_id, name }, action) => {
        if (!request_id) return false;
        const failure = respondFailure(action);
        const input = { body: { request_id, action }, failure };
        return isKept(failure, () => sendLater(here(), 'friends.respond', input, name));
      },
      removeFriend: ({ user_id, name }) => {
        const params = { friendUserId: user_id };
        return isKept(deleteFriend.failure, () =>
          sendLater(here(), 'friends.remove', { params }, name),
        );
      },
      block: ({ user_id, name }, reason) => {
        const body = { blocked_user_id: user_id, reason: reason.trim() || null };
        return isKept(createBlock.failure, () =>
          sendLater(here(), 'blocks.create', { body }, name),
        );
      },
      unblock: ({ user_id, name }) => {
        const params = { blockedUserId: user_id };
        return isKept(deleteBlock.failure, () =>
          sendLater(here(), 'blocks.delete', { params }, name),
        );
      },
    };
  }, [documents]);
}

const neverChanges = () => () => {};

/** A friend's card as it is on this device; null of others, and until it has come. */
export function useFriendCard(friend: Contact | undefined): Card | null {
  const documents = useDocuments();
  const url = friend?.card;
  return useSyncExternalStore(documents?.subscribe ?? neverChanges, () =>
    documents && url ? documents.getFriendCard(url) : null,
  );
}

/** What friends call themselves now, by id; what is not on this device yet, as it was when they became friends. */
export function useFriendNames(): ReadonlyMap<string, string> {
  const documents = useDocuments();
  const { contacts } = useContacts();
  const nameOf = ({ card, name }: Contact) =>
    (card && documents?.getFriendCard(card)?.display_name) || name;
  // One text, so that only another name makes it anew.
  const names = useSyncExternalStore(documents?.subscribe ?? neverChanges, () =>
    JSON.stringify(contacts.friends.map((friend) => [friend.user_id, nameOf(friend)])),
  );
  return useMemo(() => new Map(JSON.parse(names) as [string, string][]), [names]);
}
