import { withoutInvisible } from './invisible.ts';

const ASCII = /^[\0-\x7f]*$/;
/** Letters that are no base letter with a mark to Unicode, but to people who search. */
const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŧ: 't',
  þ: 'th',
  // Lower case depends on the place in the word.
  ς: 'σ',
  '’': "'",
  '‘': "'",
  ʼ: "'",
};
const REPLACED = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');

/**
 * Returns a text as all searches compare it: in lower case (not that of the device's language, in which “IMPORTANT” may have no i),
 * without accents, however they are encoded, and without invisible characters. Apply it to the query and to what is searched. Decision 132.
 */
export const searchText = (text: string): string =>
  ASCII.test(text)
    ? text.toLowerCase()
    : withoutInvisible(text.normalize('NFKD'))
        .toLowerCase()
        .replace(/\p{M}/gu, '')
        .replace(REPLACED, (letter) => LETTERS[letter] ?? letter)
        .replace(/\p{Pd}/gu, '-');

const NOT_A_WORD = /[^\p{L}\p{N}]+/u;

/** Returns the words of a text, as searches compare them. */
export const searchWords = (text: string): string[] =>
  searchText(text).split(NOT_A_WORD).filter(Boolean);
