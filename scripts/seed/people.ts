import { initialAccount } from '#shared/account/document.ts';
import {
  contactsChanges,
  initialContacts,
  type ContactsDocument,
} from '#shared/friends/document.ts';
import { dogChanges } from '#shared/dogs/document.ts';
import { nameWords } from '#shared/invitations/rules.ts';
import { acceptanceChanges } from '#shared/moderation/acceptance.ts';
import { firstFriendCard } from '#shared/friends/friend-card.ts';
import { initialCard, profileChanges, readCard } from '#shared/profile/document.ts';
import { sharingChanges } from '#shared/profile/sharing.ts';
import { threadChanges } from '#shared/chat/threads.ts';
import { threadSeen } from '../../api/chat/threads.ts';
import { otherOf, applyAction, noRelationship } from '../../api/friends/relationship.ts';
import { personSeen } from '../../api/friends/relationship-store.ts';
import { ISSUER } from '../../api/session/sandbox-codes.ts';
import type { Rows } from './rows.ts';
import { savedDocument } from './saved-document.ts';
import { DAY_MS, MINUTE_MS, type Person, type Street } from './user-cluster.ts';
import { talkOf, type Talk } from './conversations.ts';
import { DOG_NAMES } from './sample-data.ts';
import type { PairRow } from '../../api/friends/collections.ts';

/** As whom the stand-in for sign-in knows a person. */
export const identityOf = ({ email }: Pick<Person, 'email'>): string => `${ISSUER} ${email}`;

/** Adds the people of a street: what they are and whom they know. @returns what they have written to each other */
export function addPeople(street: Street, rows: Rows): Talk[] {
  const pairs = pairsOf(street);
  const talks = pairs
    .filter(({ relationship }) => relationship === 'friends')
    .map((pair) => talkOf(street, pair));
  rows.pairs.push(...pairs);
  for (const { thread, documents, messages } of talks) {
    rows.threads.push(thread);
    rows.documents.push(...documents);
    rows.messages.push(...messages);
  }
  for (const [i, person] of street.people.entries()) {
    const theirs = pairs.filter(({ users }) => users.includes(person.id));
    const is_location_sharing_enabled = addCard(street, i, person, theirs, rows);
    rows.documents.push(
      accountOf(person, is_location_sharing_enabled),
      savedDocument(
        'contacts',
        person,
        person.documents.contacts,
        contactsOf(street, person, theirs, talks),
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
  return talks;
}

/** Each and the next one around the street: most are friends, some were asked and have not answered, a few are blocked. */
function pairsOf(street: Street): PairRow[] {
  const chance = street.choices('pairs');
  return street.people.map((one, i) => {
    const other = street.people[(i + 1) % street.people.length] ?? one;
    const asked = new Date(one.joined.getTime() + chance.whole(1, 20) * DAY_MS);
    const stranger = noRelationship(one.id, other.id);
    const kind = chance.uniform();
    const id = street.id(`request ${i}`);
    const done = (pair: PairRow): PairRow => ({ ...pair, is_projected: true });
    if (kind < 0.03) {
      const block = { type: 'block', id, blocked_user_name: other.name, reason: null } as const;
      return done(applyAction(stranger, one.id, block, asked).pair);
    }
    const message = chance.chance(0.3) ? 'Hi! We met at the park this morning.' : null;
    const request = applyAction(stranger, one.id, { type: 'request', id, message }, asked).pair;
    if (kind < 0.12) return done(request);
    const answered = new Date(asked.getTime() + chance.whole(1, 2_000) * MINUTE_MS);
    const answer = { type: 'answer', request_id: id, accept: true } as const;
    const { pair } = applyAction(request, other.id, answer, answered);
    const cards = Object.fromEntries(
      pair.users.map((user) => [user, street.documentId(`friend card ${pair._id} ${user}`)]),
    );
    return done({ ...pair, cards });
  });
}

/** Adds what somebody shows, and what their friends see of it. @returns whether they share their location */
function addCard(
  street: Street,
  i: number,
  person: Person,
  theirs: PairRow[],
  rows: Rows,
): boolean {
  const chance = street.choices(`card ${i}`);
  const { id, name, joined, documents } = person;
  const card = initialCard(id, joined.toISOString());
  const is_location_sharing_enabled = chance.chance(0.7);
  profileChanges['profile.save'].apply(card, { display_name: name });
  for (let dog = chance.whole(1, 2); dog > 0; dog--)
    dogChanges['dog.add'].apply(card, {
      id: street.id(`dog ${i} ${dog}`),
      name: chance.pick(DOG_NAMES),
      sound_type: chance.chance(0.35) ? 'leash_on' : 'leash_off',
      created_at: joined.toISOString(),
    });
  rows.documents.push(savedDocument('card', person, documents.card, card));
  for (const pair of theirs) {
    const friend = otherOf(pair, id);
    const seenAs = pair.cards?.[friend];
    if (!seenAs) continue;
    const shown = firstFriendCard(friend, '', undefined, { user_id: id, card: readCard(card) });
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
  theirs: PairRow[],
  talks: Talk[],
): ContactsDocument {
  const contacts = initialContacts(id);
  for (const pair of theirs) {
    const other = street.people.find((each) => each.id === otherOf(pair, id));
    const seen = other && personSeen(pair, id, { _id: other.id }, other.name);
    if (seen) contactsChanges['person.set'].apply(contacts, seen);
    const talk = talks.find(({ thread }) => thread.pair === pair._id);
    if (talk) threadChanges['thread.set'].apply(contacts, threadSeen(pair, talk.thread, id));
  }
  return contacts;
}
