import * as A from '@automerge/automerge';
import { expect, test } from 'vitest';
import { DOGS_MAX } from '#shared/dogs/contract.ts';
import { dogChanges, DOGS_READ_MAX } from '#shared/dogs/document.ts';
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
