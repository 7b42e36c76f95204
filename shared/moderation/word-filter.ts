import { ANY, interpretations, type Token } from '../normalization/deobfuscate.ts';
import type { RuleType } from './contract.ts';
import {
  fitsWord,
  foldText,
  isInText,
  mayStartWith,
  readTextPattern,
  readWordPattern,
  startsAt,
  type WordPattern,
} from './patterns.ts';

interface Pattern {
  rule_type: RuleType;
  rule_pattern: string;
}

/**
 * Creates a filter from rules. Word rules also match disguised words, text rules match the text as written, and words of
 * exceptions are allowed. Rules without a usable pattern are ignored.
 * @returns a function that returns the rules that a text breaks, in time bounded by the lengths of text and patterns
 */
export function filterOf<R extends Pattern>(rules: readonly R[]): (text: string) => R[] {
  const exceptions: { words: WordPattern }[] = [];
  const byWord: { rule: R; words: WordPattern }[] = [];
  const inText: { rule: R; pattern: string }[] = [];
  for (const rule of rules) {
    if (rule.rule_type === 'text') {
      const pattern = readTextPattern(rule.rule_pattern);
      if (pattern) inText.push({ rule, pattern });
      continue;
    }
    const words = readWordPattern(rule.rule_pattern);
    if (words && rule.rule_type === 'exception') exceptions.push({ words });
    else if (words) byWord.push({ rule, words });
  }
  const exceptionsAt = byFirstLetter(exceptions);
  const wordsAt = byFirstLetter(byWord);
  return (text) => {
    const folded = inText.length > 0 ? foldText(text) : '';
    const { sequences, spelled } = interpretations(text);
    const found = new Set<(typeof byWord)[number]>();
    for (const sequence of sequences) {
      const excepted = new Set<number>();
      for (const { places } of matchesIn(sequence, exceptionsAt))
        for (const index of places) excepted.add(index);
      for (const { pattern, places } of matchesIn(sequence, wordsAt))
        if (places.some((index) => !excepted.has(index))) found.add(pattern);
    }
    for (const token of spelled)
      for (const pattern of byWord)
        if (isSpelledIn(token, pattern.words, exceptions)) found.add(pattern);
    return [
      ...byWord.filter((pattern) => found.has(pattern)),
      ...inText.filter(({ pattern }) => isInText(folded, pattern)),
    ].map(({ rule }) => rule);
  };
}

/** Returns the patterns that may begin with a token. */
type PatternsAt<P> = (token: Token) => Iterable<P>;

/** Sorts patterns by the letter that they begin with: few of hundreds remain to be compared with a word. */
function byFirstLetter<P extends { words: WordPattern }>(patterns: readonly P[]): PatternsAt<P> {
  const startingWith = (letters: string): readonly P[] =>
    patterns.filter(({ words }) => mayStartWith(words[0] ?? '', letters));
  const known = new Map<string, readonly P[]>();
  return ([letters = '']) => {
    const some = known.get(letters) ?? startingWith(letters);
    known.set(letters, some);
    return some;
  };
}

/** Yields the patterns in a sequence of words, with the indexes of their words, once for each place. */
function* matchesIn<P extends { words: WordPattern }>(
  sequence: Token[],
  patternsAt: PatternsAt<P>,
): Generator<{ pattern: P; places: number[] }> {
  for (const [at, token] of sequence.entries())
    for (const pattern of patternsAt(token))
      if (startsAt(sequence, at, pattern.words))
        yield { pattern, places: pattern.words.map((_, i) => at + i) };
}

const isSpelledIn = (
  token: Token,
  words: WordPattern,
  exceptions: readonly { words: WordPattern }[],
): boolean =>
  fitsWord(token, within(words)) &&
  !exceptions.some((exception) => excuses(exception.words, words, token));

/** In spelled text it is unknown where a word ends, so anything may come before and after it. */
const within = (...patterns: WordPattern[]) =>
  `*${patterns.map((words) => words.join('')).join('*')}*`;

/** Whether the spelled words are part of the exception, not next to it. */
function excuses(exception: WordPattern, words: WordPattern, spelled: Token): boolean {
  const letters = Array.from(exception.join('').replaceAll('*', ''), (sign) =>
    sign === '?' ? ANY : sign,
  );
  return (
    fitsWord(letters, within(words)) &&
    fitsWord(spelled, within(exception)) &&
    !fitsWord(spelled, within(exception, words)) &&
    !fitsWord(spelled, within(words, exception))
  );
}
