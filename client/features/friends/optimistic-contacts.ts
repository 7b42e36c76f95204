import type { Contacts, Contact, Relationship } from '#shared/friends/document.ts';
import type { FriendshipStatus } from '#shared/profile/contract.ts';
import type { WaitingCall } from '../../platform/sync/outbox/outbox.ts';

/** A contacts document with unsent calls applied and marked. */
export interface OwnContacts extends Contacts {
  /** Users with unsent calls about them. */
  waiting: ReadonlySet<string>;
}

const PLACES = {
  friends: 'friends',
  sent: 'sent',
  received: 'received',
  blocked: 'blocked',
} as const satisfies Partial<Record<Relationship, keyof Contacts>>;

const STATUS: Record<keyof typeof PLACES, FriendshipStatus> = {
  friends: 'friends',
  sent: 'pending_sent',
  received: 'pending_received',
  blocked: 'blocked',
};

/** Returns the relationship of a user to the owner of a contacts document. */
export function statusOf(contacts: Contacts, userId: string): FriendshipStatus {
  const place = Object.values(PLACES).find((each) =>
    contacts[each].some(({ user_id }) => user_id === userId),
  );
  return place ? STATUS[place] : 'none';
}

/** Applies unsent calls to a contacts document, in order. */
export function withPendingCalls(contacts: Contacts, calls: readonly WaitingCall[]): OwnContacts {
  const people = new Map(
    Object.values(PLACES).flatMap((place) =>
      contacts[place].map((person) => [person.user_id, person] as const),
    ),
  );
  const waiting = new Set<string>();
  let isAhead = false;
  for (const call of calls) {
    const change = changeOf(call, people);
    if (!change) continue;
    const { user_id, ...to } = change;
    isAhead = true;
    if (!call.isAnswered) waiting.add(user_id);
    people.set(user_id, { ...(people.get(user_id) ?? stranger(user_id, call)), ...to });
  }
  if (!isAhead) return { ...contacts, waiting };
  const those = (relationship: Relationship) =>
    [...people.values()].filter((person) => person.relationship === relationship);
  return {
    friends: those('friends').toSorted((a, b) => a.name.localeCompare(b.name)),
    sent: those('sent').toSorted(newestFirst),
    received: those('received').toSorted(newestFirst),
    blocked: those('blocked').toSorted(newestFirst),
    waiting,
  };
}

const newestFirst = (a: Contact, b: Contact) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0);

const stranger = (user_id: string, { label, at }: WaitingCall): Contact => ({
  user_id,
  relationship: 'none',
  name: label,
  at: new Date(at).toISOString(),
  request_id: null,
  message: null,
  card: null,
});

/** Sorts friends by their current names, which their cards have before the contacts document does. */
export const byNameNow = (
  friends: readonly Contact[],
  names: ReadonlyMap<string, string>,
): Contact[] =>
  friends
    .map((friend) => ({ ...friend, name: names.get(friend.user_id) ?? friend.name }))
    .toSorted((a, b) => a.name.localeCompare(b.name));

/** Returns users who were blocked or removed by unsent calls, before the contacts document is open. */
export const removedFriendIds = (calls: readonly WaitingCall[]): ReadonlySet<string> =>
  new Set(
    calls.flatMap((call) => {
      if (call.name === 'blocks.create') return [call.input.body.blocked_user_id];
      return call.name === 'friends.remove' ? [call.input.params.friendUserId] : [];
    }),
  );

function changeOf(
  call: WaitingCall,
  people: ReadonlyMap<string, Contact>,
): (Partial<Contact> & Pick<Contact, 'user_id'>) | null {
  const at = new Date(call.at).toISOString();
  switch (call.name) {
    case 'friends.request': {
      const { receiver_user_id: user_id, message = null } = call.input.body;
      const before = people.get(user_id)?.relationship ?? 'none';
      if (before === 'received') return { user_id, relationship: 'friends', at };
      return before === 'none' ? { user_id, relationship: 'sent', at, message } : null;
    }
    case 'friends.respond': {
      const { request_id, action } = call.input.body;
      const asker = [...people.values()].find(
        (person) => person.relationship === 'received' && person.request_id === request_id,
      );
      if (!asker) return null;
      return { user_id: asker.user_id, relationship: action === 'accept' ? 'friends' : 'none', at };
    }
    case 'friends.withdraw': {
      const user_id = call.input.params.receiverUserId;
      const isSent = people.get(user_id)?.relationship === 'sent';
      return isSent ? { user_id, relationship: 'none' } : null;
    }
    case 'friends.remove':
      return { user_id: call.input.params.friendUserId, relationship: 'none' };
    case 'blocks.create': {
      const { blocked_user_id: user_id, reason = null } = call.input.body;
      return { user_id, relationship: 'blocked', at, message: reason };
    }
    case 'blocks.delete':
      return { user_id: call.input.params.blockedUserId, relationship: 'none' };
    default:
      return null;
  }
}
