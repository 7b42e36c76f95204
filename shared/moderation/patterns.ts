import { ANY, normalizeText, type Token } from '../normalization/deobfuscate.ts';

export const PATTERN_MAX = 100;
const WORDS_MAX = 6;

/** The words of a rule: letters, with `*` for any number of letters and `?` for one. */
export type WordPattern = string[];

/** Parses the pattern of a word rule. @returns null if nothing, or almost everything, would match */
export function readWordPattern(pattern: string): WordPattern | null {
  const words = normalizeText(pattern.toLowerCase())
    .replace(/[-\s]+/g, ' ')
    .replace(/['’]/g, '')
    .trim()
    .split(' ');
  const isFit =
    pattern.length <= PATTERN_MAX &&
    words.length <= WORDS_MAX &&
    words.every((word) => /^[a-z*?]+$/.test(word)) &&
    words.some((word) => /[a-z]{2}/.test(word));
  return isFit ? words : null;
}

const may = (unit: string, letter: string): boolean => unit === ANY || unit.includes(letter);

/** Whether a token may match a word, by the letters that its first character stands for. */
export const mayStartWith = ([first = '']: string, letters: string): boolean =>
  first === '*' || first === '?' || may(letters, first);

/** Whether a whole token matches a word; letters may be repeated. Takes time in proportion to the product of both lengths. */
export function fitsWord(token: Token, word: string): boolean {
  let reached = new Uint8Array(word.length + 1);
  let next = new Uint8Array(word.length + 1);
  reached[0] = 1;
  skipStars(reached, word);
  for (const unit of token) {
    next.fill(0);
    let isAlive = false;
    for (let at = 0; at <= word.length; at++) {
      if (!reached[at]) continue;
      const wanted = word[at];
      const before = word[at - 1];
      if (wanted === '*') next[at] = 1;
      else if (wanted === '?' || (wanted !== undefined && may(unit, wanted))) next[at + 1] = 1;
      if (before !== undefined && before >= 'a' && may(unit, before)) next[at] = 1;
      isAlive ||= next[at] === 1 || next[at + 1] === 1;
    }
    if (!isAlive) return false;
    skipStars(next, word);
    [reached, next] = [next, reached];
  }
  return reached[word.length] === 1;
}

function skipStars(reached: Uint8Array, word: string): void {
  for (let at = 0; at < word.length; at++) if (reached[at] && word[at] === '*') reached[at + 1] = 1;
}

/** Whether the words follow one another in a sequence from this index. */
export const startsAt = (sequence: Token[], at: number, words: WordPattern): boolean =>
  at + words.length <= sequence.length &&
  words.every((word, i) => fitsWord(sequence[at + i] ?? [], word));

/** Returns a text as text rules compare it: in lower case, with single spaces, but with its own characters. */
export const foldText = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');

/** Parses the pattern of a text rule. @returns null if nothing, or almost everything, would match */
export function readTextPattern(pattern: string): string | null {
  const folded = foldText(pattern).trim();
  const isFit = folded.length <= PATTERN_MAX && /[^*?\s]{2}/.test(folded);
  return isFit ? folded : null;
}

/**
 * Whether a text contains the pattern. Searches once for each part between stars, from the left, so the time is bounded by
 * the product of both lengths.
 */
export function isInText(folded: string, pattern: string): boolean {
  let from = 0;
  for (const part of pattern.split('*')) {
    const at = findPart(folded, part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return true;
}

function findPart(folded: string, part: string, from: number): number {
  for (let at = from; at + part.length <= folded.length; at++)
    if (isPartAt(folded, part, at)) return at;
  return -1;
}

function isPartAt(folded: string, part: string, at: number): boolean {
  for (let i = 0; i < part.length; i++)
    if (part[i] !== '?' && part[i] !== folded[at + i]) return false;
  return true;
}
