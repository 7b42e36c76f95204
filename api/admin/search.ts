import type { Document } from 'mongodb';

const WORDS_MAX = 60;
const WORD_MAX = 60;
const NOT_A_WORD = /[^\p{L}\p{N}]+/u;

/**
 * What a row can be found by: its words, and what stands between spaces as a whole (`paw-7k2m`, `sam@example.com`). Goes
 * into a `words` field with an index, for at a million rows only beginnings of words can be looked up.
 */
export function wordsOf(...texts: (string | null | undefined)[]): string[] {
  const words = new Set<string>();
  for (const whole of texts.join(' ').toLowerCase().split(/\s+/))
    for (const word of [whole, ...whole.split(NOT_A_WORD)])
      if (word !== '' && words.size < WORDS_MAX) words.add(word.slice(0, WORD_MAX));
  return [...words];
}

/**
 * The condition for rows of which each word of a search begins one of the words; none for an empty search.
 * @param field where the words are
 */
export function wordPrefixFilter(text: string | undefined, field = 'words'): Document {
  const terms = (text ?? '').toLowerCase().split(/\s+/).filter(Boolean).slice(0, 5);
  if (terms.length === 0) return {};
  return {
    $and: terms.map((term) => ({
      // Both bounds must hold for one and the same word.
      [field]: { $elemMatch: prefixRange(term.slice(0, WORD_MAX)) },
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

/** The condition for a field that begins with a text, as an index can look it up. */
export const prefixRange = (text: string): Document => ({ $gte: text, $lt: `${text}\uffff` });
