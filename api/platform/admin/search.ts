import type { Document } from 'mongodb';
import { cutText } from '#shared/normalization/cut-text.ts';
import { searchText } from '#shared/normalization/search-text.ts';

const WORDS_MAX = 60;
const WORD_MAX = 60;
const NOT_A_WORD = /[^\p{L}\p{N}]+/u;

/**
 * Returns a row’s searchable words, and its space-separated parts as a whole (`paw-7k2m`, `sam@example.com`), for an
 * indexed `words` field: at a million rows only prefixes can be looked up.
 */
export function wordsOf(...texts: (string | null | undefined)[]): string[] {
  const words = new Set<string>();
  for (const whole of searchText(texts.join(' ')).split(/\s+/))
    for (const word of [whole, ...whole.split(NOT_A_WORD)])
      if (word !== '' && words.size < WORDS_MAX) words.add(cutText(word, WORD_MAX));
  return [...words];
}

/**
 * Returns the filter for rows in which each search word is a prefix of a word; empty for an empty search.
 * @param field the field with the words
 */
export function wordPrefixFilter(text: string | undefined, field = 'words'): Document {
  const terms = searchText(text ?? '')
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, 5);
  if (terms.length === 0) return {};
  return {
    $and: terms.map((term) => ({
      // Both bounds must match the same word.
      [field]: { $elemMatch: prefixRange(cutText(term, WORD_MAX)) },
    })),
  };
}

/**
 * Returns the condition for rows that are switched on or off by a field, and may expire.
 * @param field the switch
 */
export const statusFilter = (
  status: 'active' | 'inactive' | 'expired' | undefined,
  field: string,
  now: Date,
): Document => {
  switch (status) {
    case 'inactive':
      return { [field]: false };
    case 'expired':
      return { [field]: true, expires_at: { $lte: now } };
    case 'active':
      return { [field]: true, $or: [{ expires_at: null }, { expires_at: { $gt: now } }] };
    case undefined:
      return {};
  }
};

/** Returns an indexable prefix condition. */
export const prefixRange = (text: string): Document => ({ $gte: text, $lt: `${text}\uffff` });
