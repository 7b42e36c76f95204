import { expect, test } from 'vitest';
import { createLookalikes, nameWithNote } from '#shared/friends/lookalikes.ts';
import { skeletonsOf } from '#shared/normalization/name-skeleton.ts';

const own = { user_id: 'me', name: 'Sam' };
const friends = new Map([
  ['alex', 'Alex'],
  ['zoe', 'Zoë Miller'],
  ['kim', '🐕'],
  ['dave', 'Dave'],
  ['gabe', 'Gabe'],
  ['bob', 'Bob'],
  ['hugo', 'Hugo'],
  ['will', 'Will'],
  ['argus', 'Argus'],
]);
const lookalikeOf = createLookalikes(own, friends, skeletonsOf);

test.each([
  ['Alex', 'Not your friend Alex'],
  ['Аlех', 'Not your friend Alex'],
  ['A1ex', 'Not your friend Alex'],
  [' ALEX. ', 'Not your friend Alex'],
  ['ＺＯＥ  Мiller', 'Not your friend Zoë Miller'],
  ['Sаm', 'Not you'],
  ['2oe Miller', 'Not your friend Zoë Miller'],
  ['Clave', 'Not your friend Dave'],
  ['CIave', 'Not your friend Dave'],
  ['6abe', 'Not your friend Gabe'],
  ['Ga6e', 'Not your friend Gabe'],
  ['6ob', 'Not your friend Bob'],
  ['６ob', 'Not your friend Bob'],
  ['Vvi11', 'Not your friend Will'],
  ['Ar9us', 'Not your friend Argus'],
  ['\u13c2ugo', 'Not your friend Hugo'],
  ['Dane', null],
  ['Claire', null],
  ['Alexa', null],
  ['Alex Miller', null],
  ['🐕', null],
  ['', null],
])('says of a stranger named %j: %j', (name, note) => {
  expect(lookalikeOf('stranger', name)).toBe(note);
});

test('says nothing of friends and of the member', () => {
  for (const [id, name] of [...friends, ['me', 'Sam']] as const)
    expect(lookalikeOf(id, name)).toBe(null);
  expect(lookalikeOf('me', 'Alex')).toBe(null);
});

test('says of a friend who took another friend’s name that they are not that one', () => {
  const both = createLookalikes(own, new Map([...friends, ['eve', 'Аlex']]), skeletonsOf);
  expect(both('eve', 'Аlex')).toBe('Not your other friend Alex');
  // Two friends may have the same name.
  const same = createLookalikes(own, new Map([...friends, ['eve', 'Alex']]), skeletonsOf);
  expect(same('eve', 'Alex')).toBe(null);
  expect(same('stranger', 'Alex')).toBe('Not your friend Alex');
});

test('a note is part of a sentence', () => {
  expect(`${nameWithNote('Аlex', 'Not your friend Alex')} is near.`).toBe(
    'Аlex, not your friend Alex, is near.',
  );
  expect(nameWithNote('Alex', null)).toBe('Alex');
});
