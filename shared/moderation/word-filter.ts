import { ANY, interpretations, type Readings, type Token } from './deobfuscate.ts';
import type { RuleType } from './contract.ts';
import {
  fitsWord,
  foldText,
  isInText,
  placesOf,
  readTextPattern,
  readWordPattern,
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
  const exceptions: WordPattern[] = [];
  const byWord: { rule: R; words: WordPattern }[] = [];
  const inText: { rule: R; pattern: string }[] = [];
  for (const rule of rules) {
    if (rule.rule_type === 'text') {
      const pattern = readTextPattern(rule.rule_pattern);
      if (pattern) inText.push({ rule, pattern });
      continue;
    }
    const words = readWordPattern(rule.rule_pattern);
    if (words && rule.rule_type === 'exception') exceptions.push(words);
    else if (words) byWord.push({ rule, words });
  }
  return (text) => {
    const folded = inText.length > 0 ? foldText(text) : '';
    const readings = interpretations(text);
    const excepted = readings.sequences.map((sequence) => exceptedIn(sequence, exceptions));
    return [
      ...byWord.filter(({ words }) => isIn(readings, excepted, exceptions, words)),
      ...inText.filter(({ pattern }) => isInText(folded, pattern)),
    ].map(({ rule }) => rule);
  };
}

function exceptedIn(sequence: Token[], exceptions: WordPattern[]): Set<number> {
  const found = new Set<number>();
  for (const words of exceptions)
    for (const place of placesOf(sequence, words)) for (const index of place) found.add(index);
  return found;
}

function isIn(
  { sequences, spelled }: Readings,
  excepted: Set<number>[],
  exceptions: WordPattern[],
  words: WordPattern,
): boolean {
  const isThere = sequences.some((sequence, i) => {
    for (const place of placesOf(sequence, words))
      if (place.some((index) => !excepted[i]?.has(index))) return true;
    return false;
  });
  if (isThere) return true;
  return spelled.some(
    (token) =>
      fitsWord(token, within(words)) &&
      !exceptions.some((exception) => excuses(exception, words, token)),
  );
}

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
