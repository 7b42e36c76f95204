import { expect, test } from 'vitest';
import { lookOf } from '../../client/platform/illustrations/dog-looks.ts';

test('a dog is drawn by its size and coat', () => {
  expect(lookOf('Rex', { size: 'large', coat: 'black' })).toMatchObject({
    size: 'large',
    coat: 'black',
  });
});

test('a dog of unknown looks is drawn the same each time, and dogs look different', () => {
  expect(lookOf('Rex')).toEqual(lookOf('Rex'));
  const names = ['Rex', 'Bella', 'Lola', 'Brutus', 'Max', 'Nala', 'Emma', 'Balu'];
  const looks = new Set(names.map((name) => JSON.stringify(lookOf(name))));
  expect(looks.size).toBeGreaterThan(names.length / 2);
});
