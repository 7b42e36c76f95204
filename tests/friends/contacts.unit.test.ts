import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { contactsChanges, initialContacts, readContacts } from '#shared/friends/document.ts';
import { text } from '#shared/text.ts';

type Person = Parameters<(typeof contactsChanges)['person.set']['apply']>[1];

const person = (over: Partial<Person> = {}): Person => ({
  user_id: 'sam',
  version: 1,
  relationship: 'friends',
  name: 'Sam',
  at: '2026-01-01T00:00:00.000Z',
  request_id: null,
  message: null,
  card: 'automerge:card',
  ...over,
});

const contactsOf = (...people: Person[]) => {
  const contacts = initialContacts('alex');
  for (const each of people) contactsChanges['person.set'].apply(contacts, each);
  return contacts;
};

it('contacts converge for any order and repetition of changes', () => {
  const relationships = ['none', 'friends', 'sent', 'received', 'blocked'] as const;
  const changes = fc.uniqueArray(
    fc.record({
      user_id: fc.constantFrom('sam', 'eve'),
      version: fc.integer({ min: 1, max: 6 }),
      relationship: fc.constantFrom(...relationships),
      name: fc.constantFrom('Sam', 'Eve'),
    }),
    { selector: ({ user_id, version }) => `${user_id} ${version}`, maxLength: 12 },
  );
  const mixed = changes.chain((list) =>
    fc.tuple(
      fc.constant(list),
      fc.shuffledSubarray([...list, ...list], { minLength: list.length * 2 }),
    ),
  );
  fc.assert(
    fc.property(mixed, ([list, arriving]) => {
      const inOrder = list.map((each) => person(each)).toSorted((a, b) => a.version - b.version);
      const shuffled = arriving.map((each) => person(each));
      expect(readContacts(contactsOf(...shuffled))).toEqual(readContacts(contactsOf(...inOrder)));
    }),
  );
});

it('lists friends by name, and requests and blocks newest first', () => {
  const contacts = contactsOf(
    person({ user_id: '1', name: 'Zoe' }),
    person({ user_id: '2', name: 'Ann' }),
    person({ user_id: '3', relationship: 'received', at: '2026-01-02T00:00:00.000Z' }),
    person({ user_id: '4', relationship: 'received', at: '2026-01-03T00:00:00.000Z' }),
    person({ user_id: '5', relationship: 'sent', message: 'Hello', request_id: 'r' }),
    person({ user_id: '6', relationship: 'blocked' }),
    person({ user_id: '7', relationship: 'none' }),
  );
  const { friends, received, sent, blocked } = readContacts(contacts);
  expect(friends.map(({ name }) => name)).toEqual(['Ann', 'Zoe']);
  expect(received.map(({ user_id }) => user_id)).toEqual(['4', '3']);
  expect(sent).toMatchObject([{ user_id: '5', message: 'Hello', request_id: 'r' }]);
  expect(blocked.map(({ user_id }) => user_id)).toEqual(['6']);
});

it('ignores malformed contacts and handles missing ones', () => {
  const noContacts = { friends: [], received: [], sent: [], blocked: [] };
  expect(readContacts(null)).toEqual(noContacts);
  expect(readContacts({ kind: text('contacts') })).toEqual(noContacts);
  expect(
    readContacts({ people: { sam: null, eve: 'x', bob: { relationship: text('king') } } }),
  ).toEqual(noContacts);
});

it('adds contacts to an empty document and removes them', () => {
  const contacts = contactsOf(person());
  const old = { ...initialContacts('alex'), people: undefined };
  contactsChanges['person.set'].apply(old, person());
  expect(readContacts(old)).toEqual(readContacts(contacts));
  contactsChanges['person.remove'].apply(contacts, { user_id: 'sam' });
  contactsChanges['person.remove'].apply(contacts, { user_id: 'sam' });
  expect(contacts.people).toEqual({});
});
