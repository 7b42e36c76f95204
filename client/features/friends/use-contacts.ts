import { useMemo, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router-dom';
import { toast } from 'sonner';
import { createBlock, deleteBlock } from '#shared/blocks/contract.ts';
import {
  createFriendRequest,
  deleteFriend,
  respondFailure,
  withdrawFriendRequest,
  type RequestAction,
} from '#shared/friends/contract.ts';
import { readContacts, type Contact } from '#shared/friends/document.ts';
import type { Card } from '#shared/profile/document.ts';
import { reachability } from '../../platform/http/reachability.ts';
import { useDocument, useDocuments } from '../../platform/sync/documents/use-document.ts';
import { offerUndo } from '../../platform/sync/outbox/offer-undo.ts';
import { outboxOf, sendLater, sendUnlessUndone } from '../../platform/sync/outbox/outbox.ts';
import { useShownAsDone } from '../../platform/sync/outbox/use-outbox.ts';
import type { DocumentStatus } from '../../platform/sync/state/document-state.ts';
import { chatPath } from './chat-path.ts';
import { withPendingCalls, type OwnContacts } from './optimistic-contacts.ts';

type Somebody = Pick<Contact, 'user_id' | 'name'>;

/** Actions on contacts. Each shows an error if it can't be queued, and returns whether it was. */
export interface ContactActions {
  ask: (person: Somebody, message: string) => Promise<boolean>;
  /** Says that somebody is a friend now, and offers to write to them. */
  greet: (person: Somebody) => void;
  /** Accepts a request, and offers to write to the new friend. */
  accept: (person: Contact) => Promise<boolean>;
  /** Denies a request, which can be undone for a few seconds: only then does the server get to know. */
  deny: (person: Contact) => Promise<boolean>;
  withdraw: (person: Somebody) => Promise<boolean>;
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

/** Returns the contacts with unsent calls applied. Works offline. */
export function useContacts(): { status: DocumentStatus; contacts: OwnContacts } {
  const { status, doc } = useDocument('contacts');
  const done = useShownAsDone();
  const contacts = useMemo(() => readContacts(doc), [doc]);
  return useMemo(
    () => ({ status, contacts: withPendingCalls(contacts, done) }),
    [status, contacts, done],
  );
}

/** Returns the actions on contacts, queued in the outbox and sent when online. */
export function useContactActions(): ContactActions {
  const documents = useDocuments();
  const navigate = useNavigate();
  return useMemo(() => {
    const here = () => {
      if (!documents) throw new Error('No one is signed in');
      return documents;
    };
    const greet = ({ user_id, name }: Somebody) =>
      void toast.success(`You and ${name} are friends`, {
        action: { label: 'Message', onClick: () => void navigate(chatPath(user_id)) },
      });
    return {
      greet,
      ask: ({ user_id, name }, message) => {
        const body = { receiver_user_id: user_id, message: message.trim() || null };
        return isKept(createFriendRequest.failure, () =>
          sendLater(here(), 'friends.request', { body }, name),
        );
      },
      accept: async ({ user_id, request_id, name }) => {
        if (!request_id) return false;
        return isKept(respondFailure('accept'), async () => {
          // Only the server knows whether the request still stands.
          const stop = outboxOf(here()).onOutcome(({ call, refusal }) => {
            if (call.name !== 'friends.respond' || call.input.body.request_id !== request_id)
              return;
            stop();
            if (!refusal) greet({ user_id, name });
          });
          await sendLater(here(), 'friends.respond', answer(request_id, 'accept'), name);
          if (!reachability.get()) toast(`You’ll be friends with ${name} once you’re online`);
        });
      },
      deny: async ({ request_id, name }) => {
        if (!request_id) return false;
        return isKept(respondFailure('deny'), async () => {
          const input = answer(request_id, 'deny');
          const undo = await sendUnlessUndone(here(), 'friends.respond', input, name);
          offerUndo('Request denied', undo);
        });
      },
      withdraw: ({ user_id, name }) => {
        const params = { receiverUserId: user_id };
        return isKept(withdrawFriendRequest.failure, () =>
          sendLater(here(), 'friends.withdraw', { params }, name),
        );
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
  }, [documents, navigate]);
}

const answer = (request_id: string, action: RequestAction) => ({
  body: { request_id, action },
  failure: respondFailure(action),
});

const neverChanges = () => () => {};

/** Returns a friend's card on this device; null for others and until loaded. */
export function useFriendCard(friend: Pick<Contact, 'card'> | undefined): Card | null {
  const documents = useDocuments();
  const url = friend?.card;
  return useSyncExternalStore(
    documents?.subscribe ?? neverChanges,
    () => (url && documents?.friendCards?.get(url)) || null,
  );
}

/** Returns the friends' current names by ID; for unloaded cards, the name when they became friends. */
export function useFriendNames(): ReadonlyMap<string, string> {
  const documents = useDocuments();
  const { contacts } = useContacts();
  const nameOf = ({ card, name }: Contact) =>
    (card && documents?.friendCards?.get(card)?.display_name) || name;
  // Compared as text, so that only a changed name creates a new object.
  const names = useSyncExternalStore(documents?.subscribe ?? neverChanges, () =>
    JSON.stringify(contacts.friends.map((friend) => [friend.user_id, nameOf(friend)])),
  );
  return useMemo(() => new Map(JSON.parse(names) as [string, string][]), [names]);
}
