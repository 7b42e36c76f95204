import { initialAccount } from '#shared/account/document.ts';
import { sharingChanges } from '#shared/account/sharing.ts';
import { threadChanges } from '#shared/chat/threads.ts';
import { dogChanges } from '#shared/dogs/document.ts';
import {
  contactsChanges,
  initialContacts,
  type ContactsDocument,
} from '#shared/friends/document.ts';
import { firstFriendCard, withDays } from '#shared/friends/friend-card.ts';
import { invitationChanges } from '#shared/invitations/document.ts';
import { nameWords } from '#shared/invitations/rules.ts';
import { acceptanceChanges } from '#shared/moderation/acceptance.ts';
import { initialCard, profileChanges, readCard } from '#shared/profile/document.ts';
import { DAY_MS, MINUTE_MS } from '#shared/time.ts';
import { threadSeen } from '../../api/features/chat/threads.ts';
import { personSeen } from '../../api/features/friends/relationship-store.ts';
import type { SearchInvitationRow } from '../../api/features/invitations/collections.ts';
import { invitationEntry } from '../../api/features/invitations/synced.ts';
import type { PairRow } from '../../api/features/relationships/collections.ts';
import {
  otherOf,
  applyAction,
  noRelationship,
} from '../../api/features/relationships/relationship.ts';
import { ISSUER } from '../../api/platform/session/sandbox-codes.ts';
import { createConversation, type Conversation } from './conversations.ts';
import { invitationsOf } from './invitations.ts';
import type { Rows } from './rows.ts';
import { DOG_NAMES } from './sample-data.ts';
import { savedDocument } from './saved-document.ts';
import { type Person, type Street } from './user-cluster.ts';

/** Returns a person's identity in the sandbox sign-in. */
const identityOf = ({ email }: Pick<Person, 'email'>): string => `${ISSUER} ${email}`;

/** Adds the users of a street with their documents, friends and invitations. @returns their conversations */
export function addPeople(street: Street, rows: Rows): Conversation[] {
  const pairs = pairsOf(street);
  const conversations = pairs
    .filter(({ relationship }) => relationship === 'friends')
    .map((pair) => createConversation(street, pair));
  rows.pairs.push(...pairs);
  for (const { thread, documents, messages } of conversations) {
    rows.threads.push(thread);
    rows.documents.push(...documents);
    rows.messages.push(...messages);
  }
  const invitations = invitationsOf(street);
  rows.search_invitations.push(...invitations);
  for (const [i, person] of street.people.entries()) {
    const ownPairs = pairs.filter(({ users }) => users.includes(person.id));
    const is_location_sharing_enabled = addCard(street, i, { person, ownPairs, rows });
    rows.documents.push(
      accountOf(person, is_location_sharing_enabled),
      savedDocument(
        'contacts',
        person,
        person.documents.contacts,
        contactsOf(street, person, { pairs: ownPairs, conversations, invitations }),
      ),
    );
    rows.users.push({
      _id: person.id,
      identity: identityOf(person),
      email: person.email,
      email_verified: true,
      given_name: person.given,
      name: person.name,
      picture: null,
      is_admin: false,
      access_expires_at: new Date(street.now.getTime() + 30 * DAY_MS),
      documents: person.documents,
      documents_ready: true,
      created_at: person.joined,
    });
  }
  return conversations;
}

/** Pairs each person with the next one: most are friends, some requests are unanswered, a few are blocked. */
function pairsOf(street: Street): PairRow[] {
  const random = street.random('pairs');
  return street.people.map((one, i) => {
    const other = street.people[(i + 1) % street.people.length] ?? one;
    const asked = new Date(one.joined.getTime() + random.integer(1, 20) * DAY_MS);
    const stranger = noRelationship(one.id, other.id);
    const kind = random.uniform();
    const id = street.id(`request ${i}`);
    const projected = (pair: PairRow): PairRow => ({ ...pair, is_projected: true });
    if (kind < 0.03) {
      const block = { type: 'block', id, blocked_user_name: other.name, reason: null } as const;
      return projected(applyAction(stranger, { by: one.id, act: block, at: asked }).pair);
    }
    const message = random.chance(0.3) ? 'Hi! We met at the park this morning.' : null;
    const request = applyAction(stranger, {
      by: one.id,
      act: { type: 'request', id, message },
      at: asked,
    }).pair;
    if (kind < 0.12) return projected(request);
    const answered = new Date(asked.getTime() + random.integer(1, 2_000) * MINUTE_MS);
    const answer = { type: 'answer', request_id: id, accept: true } as const;
    const { pair } = applyAction(request, { by: other.id, act: answer, at: answered });
    const cards = Object.fromEntries(
      pair.users.map((user) => [user, street.documentId(`friend card ${pair._id} ${user}`)]),
    );
    return projected({ ...pair, cards });
  });
}

/** Adds a person's card and the friend cards that show it. @returns whether the person shares their location */
function addCard(
  street: Street,
  i: number,
  { person, ownPairs, rows }: { person: Person; ownPairs: PairRow[]; rows: Rows },
): boolean {
  const random = street.random(`card ${i}`);
  const { id, name, joined, documents } = person;
  const card = initialCard(id, joined.toISOString());
  const is_location_sharing_enabled = random.chance(0.7);
  profileChanges['profile.save'].apply(card, { display_name: name });
  for (let dog = random.integer(1, 2); dog > 0; dog--)
    dogChanges['dog.add'].apply(card, {
      id: street.id(`dog ${i} ${dog}`),
      name: random.pick(DOG_NAMES),
      sound_type: random.chance(0.35) ? 'leash_on' : 'leash_off',
      created_at: joined.toISOString(),
    });
  rows.documents.push(savedDocument('card', person, documents.card, card));
  for (const pair of ownPairs) {
    const friend = otherOf(pair, id);
    const seenAs = pair.cards?.[friend];
    if (!seenAs) continue;
    const shown = firstFriendCard(friend, '', undefined, {
      user_id: id,
      card: withDays(readCard(card)),
    });
    const viewer = { id: friend, joined: pair.since };
    rows.documents.push(savedDocument('friend_card', viewer, seenAs, shown, { subject: id }));
  }
  rows.cards.push({
    _id: id,
    document_id: documents.card,
    ...readCard(card),
    is_checked: true,
    is_location_sharing_enabled,
    name_words: nameWords(name),
    updated_at: joined,
  });
  return is_location_sharing_enabled;
}

function accountOf(person: Person, is_location_sharing_enabled: boolean) {
  const account = initialAccount(person.id);
  sharingChanges['sharing.save'].apply(account, { is_location_sharing_enabled });
  const at = new Date(person.joined.getTime() + MINUTE_MS).toISOString();
  acceptanceChanges['guidelines.accept'].apply(account, { at });
  return savedDocument('account', person, person.documents.account, account);
}

function contactsOf(
  street: Street,
  { id }: Person,
  {
    pairs,
    conversations,
    invitations,
  }: { pairs: PairRow[]; conversations: Conversation[]; invitations: SearchInvitationRow[] },
): ContactsDocument {
  const contacts = initialContacts(id);
  for (const invitation of invitations)
    if (invitation.inviter_user_id === id)
      invitationChanges['invitation.set'].apply(contacts, invitationEntry(invitation, false));
  for (const pair of pairs) {
    const other = street.people.find((each) => each.id === otherOf(pair, id));
    const seen = other && personSeen(pair, id, { _id: other.id }, other.name);
    if (seen) contactsChanges['person.set'].apply(contacts, seen);
    const conversation = conversations.find(({ thread }) => thread.pair === pair._id);
    if (conversation)
      threadChanges['thread.set'].apply(contacts, threadSeen(pair, conversation.thread, id));
  }
  return contacts;
}
