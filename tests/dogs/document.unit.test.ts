import * as A from '@automerge/automerge';
import { expect, test } from 'vitest';
import { dogChanges } from '#shared/dogs/document.ts';
import { DOGS_MAX, DOGS_READ_MAX } from '#shared/dogs/rules.ts';
import { dogDescription, dogNotesText } from '#shared/dogs/words.ts';
import { initialCard, readCard, type CardDocument } from '#shared/profile/document.ts';

const dog = (id: string) => ({
  id,
  name: `Dog ${id}`,
  sound_type: 'leash_on' as const,
  created_at: '2026-11-21T12:00:00.000Z',
});
const add = (card: A.Doc<CardDocument>, id: string) =>
  A.change(card, (draft) => dogChanges['dog.add'].apply(draft, dog(id)));
const range = (length: number, prefix: string) =>
  Array.from({ length }, (_, index) => `${prefix}${index}`);
const emptyCard = (): A.Doc<CardDocument> =>
  A.from({ ...initialCard('user', '2026-11-21T12:00:00.000Z') });

test('keeps all dogs that two devices added offline, even above the limit, and adds no more', () => {
  const start = emptyCard();
  const phone = range(15, 'phone-').reduce(add, A.clone(start));
  const tablet = range(15, 'tablet-').reduce(add, A.clone(start));
  const both = A.merge(phone, tablet);
  const ids = (card: A.Doc<CardDocument>) => readCard(card).dogs.map(({ id }) => id);
  expect(ids(both).toSorted()).toEqual(
    [...range(15, 'phone-'), ...range(15, 'tablet-')].toSorted(),
  );
  expect(ids(add(both, 'one-more'))).toEqual(ids(both));
});

test('limits the dogs that one device can add', () => {
  const card = range(DOGS_MAX + 5, 'dog-').reduce(add, emptyCard());
  expect(readCard(card).dogs).toHaveLength(DOGS_MAX);
});

test('limits the dogs read from a manipulated card', () => {
  const dogs = Object.fromEntries(range(1000, 'dog-').map((id) => [id, dog(id)]));
  expect(readCard({ dogs }).dogs).toHaveLength(DOGS_READ_MAX);
});

test('keeps the notes that two devices changed offline, and clears a detail that was removed', () => {
  const start = add(emptyCard(), 'rex');
  const edit = (card: A.Doc<CardDocument>, change: object) =>
    A.change(card, (draft) => dogChanges['dog.edit'].apply(draft, { id: 'rex', ...change }));
  const first = edit(start, { breed: 'Border Collie', size: 'medium', notes: ['puppy'] });
  const phone = edit(A.clone(first), { notes: ['puppy', 'deaf'] });
  const tablet = edit(A.clone(first), { notes: [], breed: null, birth_year: 2024 });
  const [dog] = readCard(A.merge(phone, tablet)).dogs;
  expect(dog).toMatchObject({ breed: null, size: 'medium', birth_year: 2024, notes: ['deaf'] });
});

test('ignores details of a manipulated card that are none', () => {
  const manipulated = {
    ...dog('rex'),
    breed: 'x'.repeat(51),
    size: 'huge',
    birth_year: 'no',
    notes: { evil: true, deaf: 'yes' },
  };
  const [read] = readCard({ dogs: { rex: manipulated } }).dogs;
  expect(read).toMatchObject({ breed: null, size: null, birth_year: null, notes: [] });
});

test.each([
  [{ notes: [] }, ''],
  [{}, ''],
  [{ notes: ['puppy'] }, 'Puppy'],
  [{ notes: ['friendly_on_leash', 'deaf', 'in_heat'] }, 'In heat, deaf, friendly on leash'],
] as const)('says the notes %j as “%s”, those that matter most first', (dog, words) => {
  expect(dogNotesText(dog)).toBe(words);
});

test('describes a dog by what is known of it', () => {
  const now = new Date('2026-11-25T12:00:00Z');
  const described = (dog: object) =>
    dogDescription({ breed: null, size: null, birth_year: null, ...dog }, now);
  expect(described({})).toBe('');
  expect(described({ breed: 'Border Collie', size: 'medium', birth_year: 2022 })).toBe(
    'Border Collie · medium · about 4 years',
  );
  expect(described({ size: 'small', birth_year: 2026 })).toBe('Small · under 1 year');
});
