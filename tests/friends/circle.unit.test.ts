import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { circleChanges, initialCircle, readCircle } from '#shared/friends/document.ts';
import { text } from '#shared/text.ts';

type Person = Parameters<(typeof circleChanges)['person.set']['apply']>[1];

const person = (over: Partial<Person> = {}): Person => ({
  user_id: 'sam',
  version: 1,
  standing: 'friends',
  name: 'Sam',
  at: '2026-01-01T00:00:00.000Z',
  request_id: null,
  message: null,
  card: 'automerge:card',
  ...over,
});

const circleOf = (...people: Person[]) => {
  const circle = initialCircle('alex');
  for (const each of people) circleChanges['person.set'].apply(circle, each);
  return circle;
};

it('comes to the same, in whatever order and however often its changes arrive', () => {
  const standings = ['none', 'friends', 'sent', 'received', 'blocked'] as const;
  const changes = fc.uniqueArray(
    fc.record({
      user_id: fc.constantFrom('sam', 'eve'),
      version: fc.integer({ min: 1, max: 6 }),
      standing: fc.constantFrom(...standings),
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
      expect(readCircle(circleOf(...shuffled))).toEqual(readCircle(circleOf(...inOrder)));
    }),
  );
});

it('tells friends by name, and requests and blocks newest first', () => {
  const circle = circleOf(
    person({ user_id: '1', name: 'Zoe' }),
    person({ user_id: '2', name: 'Ann' }),
    person({ user_id: '3', standing: 'received', at: '2026-01-02T00:00:00.000Z' }),
    person({ user_id: '4', standing: 'received', at: '2026-01-03T00:00:00.000Z' }),
    person({ user_id: '5', standing: 'sent', message: 'Hello', request_id: 'r' }),
    person({ user_id: '6', standing: 'blocked' }),
    person({ user_id: '7', standing: 'none' }),
  );
  const { friends, received, sent, blocked } = readCircle(circle);
  expect(friends.map(({ name }) => name)).toEqual(['Ann', 'Zoe']);
  expect(received.map(({ user_id }) => user_id)).toEqual(['4', '3']);
  expect(sent).toMatchObject([{ user_id: '5', message: 'Hello', request_id: 'r' }]);
  expect(blocked.map(({ user_id }) => user_id)).toEqual(['6']);
});

it('leaves out whatever is no person, and does without people', () => {
  const nobody = { friends: [], received: [], sent: [], blocked: [] };
  expect(readCircle(null)).toEqual(nobody);
  expect(readCircle({ kind: text('circle') })).toEqual(nobody);
  expect(readCircle({ people: { sam: null, eve: 'x', bob: { standing: text('king') } } })).toEqual(
    nobody,
  );
});

it('takes up people where there were none, and forgets who is gone', () => {
  const circle = circleOf(person());
  const old = { ...initialCircle('alex'), people: undefined };
  circleChanges['person.set'].apply(old, person());
  expect(readCircle(old)).toEqual(readCircle(circle));
  circleChanges['person.remove'].apply(circle, { user_id: 'sam' });
  circleChanges['person.remove'].apply(circle, { user_id: 'sam' });
  expect(circle.people).toEqual({});
});
