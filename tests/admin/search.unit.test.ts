import { expect, test } from 'vitest';
import { wordPrefixFilter, wordsOf } from '../../api/admin/search.ts';

test('words are what stands between spaces, and the parts of it, once each and in small letters', () => {
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

test('a text of a thousand words does not make a thousand entries of an index', () => {
  const many = Array.from({ length: 1_000 }, (_, index) => `word${index}`).join(' ');
  expect(wordsOf(many)).toHaveLength(60);
  expect(wordsOf('x'.repeat(5_000))).toEqual(['x'.repeat(60)]);
});

test('an empty search asks for nothing, and what looks like a pattern is only text', () => {
  expect(wordPrefixFilter(undefined)).toEqual({});
  expect(wordPrefixFilter('  ')).toEqual({});
  const begins = (text: string) => ({
    words: { $elemMatch: { $gte: text, $lt: `${text}\uffff` } },
  });
  expect(wordPrefixFilter('.* $gt')).toEqual({ $and: [begins('.*'), begins('$gt')] });
});
