import { z } from 'zod';
import { BLOCK_REASON_MAX } from '../blocks/rules.ts';
import type { ContactsThreads } from '../chat/threads.ts';
import type { ContactsInvitations } from '../invitations/document.ts';
import { DISPLAY_NAME_MAX } from '../profile/rules.ts';
import { readText, text, type Text } from '../text.ts';
import { FRIEND_REQUEST_MESSAGE_MAX } from './rules.ts';

/** One per user: their relationships and invitations. Only the API writes it; its owner reads it. */
export interface ContactsDocument extends ContactsThreads, ContactsInvitations {
  kind: Text;
  user_id: Text;
  /** By user. Not there in contacts documents from before there were friends. */
  people?: Record<string, PersonEntry>;
}

interface PersonEntry {
  /** The version of the change that made it. Older changes that arrive late are ignored. */
  version: number;
  relationship: Text;
  name: Text;
  /** When it got this state. */
  at: Text;
  /** The message of a pending request. */
  request_id: Text | null;
  /** With a request, or the reason of a block. */
  message: Text | null;
  /** A friend's card. */
  card: Text | null;
}

const relationship = z.enum(['none', 'friends', 'sent', 'received', 'blocked']);
export type Relationship = z.infer<typeof relationship>;

const personFields = z.object({
  user_id: z.string().min(1).max(64),
  version: z.number().int().positive(),
  relationship,
  name: z.string().max(DISPLAY_NAME_MAX),
  at: z.iso.datetime(),
  request_id: z.string().max(64).nullable(),
  message: z.string().max(Math.max(FRIEND_REQUEST_MESSAGE_MAX, BLOCK_REASON_MAX)).nullable(),
  /** An `automerge:` URL. */
  card: z.string().max(80).nullable(),
});
type PersonFields = z.output<typeof personFields>;

/** A person in a contacts document. */
export type Contact = Omit<PersonFields, 'version'>;

export interface Contacts {
  friends: Contact[];
  /** Requests that wait for the owner's answer. */
  received: Contact[];
  /** Requests of the owner that wait for an answer. */
  sent: Contact[];
  blocked: Contact[];
}

/** An empty contacts document. */
export function initialContacts(userId: string): ContactsDocument {
  return {
    kind: text('contacts'),
    user_id: text(userId),
    people: {},
    threads: {},
    hidden_messages: {},
    invitations: {},
  };
}

const orNull = (value: string | null): Text | null => (value === null ? null : text(value));

/** Named changes of a contacts document. They may arrive repeatedly, late and in any order: the highest version wins. */
export const contactsChanges = {
  'person.set': {
    input: personFields,
    apply(contacts: ContactsDocument, person: PersonFields) {
      contacts.people ??= {};
      const { user_id, version } = person;
      if ((contacts.people[user_id]?.version ?? 0) >= version) return;
      contacts.people[user_id] = {
        version,
        relationship: text(person.relationship),
        name: text(person.name),
        at: text(person.at),
        request_id: orNull(person.request_id),
        message: orNull(person.message),
        card: orNull(person.card),
      };
    },
  },
  /** The account is deleted, and no change of that person can come any more. */
  'person.remove': {
    input: z.object({ user_id: z.string().min(1).max(64) }),
    apply(contacts: ContactsDocument, person: { user_id: string }) {
      if (contacts.people?.[person.user_id]) delete contacts.people[person.user_id];
    },
  },
};

/**
 * Reads a contacts document: friends by name, others newest first, without invalid entries.
 * @param doc an Automerge document or its plain value; untrusted
 */
export function readContacts(doc: unknown): Contacts {
  const found = Object.entries(peopleIn(doc))
    .map(([user_id, entry]) => readPerson(user_id, entry ?? {}))
    .filter((person) => person !== null)
    .toSorted((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : a.user_id < b.user_id ? -1 : 1));
  const those = (wanted: Relationship) => found.filter((person) => person.relationship === wanted);
  return {
    friends: those('friends').toSorted((a, b) => a.name.localeCompare(b.name)),
    received: those('received'),
    sent: those('sent'),
    blocked: those('blocked'),
  };
}

/** Returns the version of a contacts document's entry about a user; 0 without an entry. @param doc untrusted */
export function versionIn(doc: unknown, userId: string): number {
  const version: unknown = peopleIn(doc)[userId]?.version;
  return typeof version === 'number' ? version : 0;
}

/** Returns the users whose requests are pending. @param doc untrusted */
export const askerIn = (doc: unknown, requestId: string): string | undefined =>
  Object.entries(peopleIn(doc)).find(
    ([, entry]) => readText(entry?.request_id, Infinity) === requestId,
  )?.[0];

const peopleIn = (doc: unknown) =>
  ((doc ?? {}) as { people?: Record<string, Partial<PersonEntry> | null> }).people ?? {};

function readPerson(user_id: string, entry: Partial<PersonEntry>): Contact | null {
  const read = (value: unknown) => readText(value, Infinity);
  const parsed = personFields.safeParse({
    user_id,
    version: entry.version,
    relationship: read(entry.relationship),
    name: read(entry.name),
    at: read(entry.at),
    request_id: read(entry.request_id),
    message: read(entry.message),
    card: read(entry.card),
  });
  if (!parsed.success) return null;
  const { version: _version, ...person } = parsed.data;
  return person;
}
