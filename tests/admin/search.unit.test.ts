import { expect, test } from 'vitest';
import { wordPrefixFilter, wordsOf } from '../../api/platform/admin/search.ts';

test('splits text into unique lowercase words and their parts', () => {
  expect(wordsOf('PAW-7K2M', null, 'For Sam, the Club')).toEqual([
    'paw-7k2m',
    'paw',
    '7k2m',
    'for',
    'sam,',
    'sam',
    'the',
    'club',
  ]);
});

test('indexes at most 60 words of at most 60 characters', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => `word${index}`).join(' ');
  expect(wordsOf(many)).toHaveLength(60);
  expect(wordsOf('x'.repeat(5_000))).toEqual(['x'.repeat(60)]);
});

test('an empty search has no filter, and special characters are matched literally', () => {
  expect(wordPrefixFilter(undefined)).toEqual({});
  expect(wordPrefixFilter('  ')).toEqual({});
  const begins = (text: string) => ({
    words: { $elemMatch: { $gte: text, $lt: `${text}\uffff` } },
  });
  expect(wordPrefixFilter('.* $gt')).toEqual({ $and: [begins('.*'), begins('$gt')] });
});
