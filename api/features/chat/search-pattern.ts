import { searchText } from '#shared/normalization/search-text.ts';

const LAST = 0xffff;
/** MongoDB refuses longer expressions than some 30,000 bytes. The beginning of a longer query finds enough. */
const LETTERS_MAX = 100;
const SURROGATE = /[\ud800-\udfff]/;
/** Accents and invisible characters after a letter. */
const MARKS = '[\\p{M}\\p{Cf}]*';

/** The characters that searches compare as this text, by the text. */
let spellings: Map<string, string> | null = null;

function allSpellings(): Map<string, string> {
  const found = new Map<string, string>();
  for (let code = 1; code <= LAST; code++) {
    const character = String.fromCharCode(code);
    const text = searchText(character);
    if (text !== '' && text !== character && !SURROGATE.test(character))
      found.set(text, (found.get(text) ?? '') + character);
  }
  return found;
}

/**
 * Returns the regular expression for texts that contain what was searched for, as `searchText` compares them: the rows have the texts
 * as they were written.
 */
export function searchPattern(query: string): string {
  spellings ??= allSpellings();
  const known = spellings;
  const classOf = (characters: string) => `[${characters.replace(/[\\\]^[-]/g, '\\$&')}]${MARKS}`;
  const parts: string[] = [];
  // Syllables of Korean are single characters in messages.
  const letters = Array.from(searchText(query).normalize('NFC')).slice(0, LETTERS_MAX);
  const one = (letter: string) => classOf(letter + (known.get(searchText(letter)) ?? ''));
  for (let at = 0; at < letters.length; at++) {
    const [letter = '', next] = letters.slice(at, at + 2);
    // 'ss' may be an 'ß'.
    const both = next === undefined ? undefined : known.get(letter + next);
    if (both === undefined || next === undefined) parts.push(one(letter));
    else {
      parts.push(`(?:${one(letter)}${one(next)}|${classOf(both)})`);
      at++;
    }
  }
  return parts.join('');
}
