import { DIGITS_READ_AS, normalizeText } from './deobfuscate.ts';

/** Signs that are read as a letter. Upright strokes are alike in most typefaces: I, l, 1 and |. */
const READ_AS: Record<string, string> = {
  ...DIGITS_READ_AS,
  '1': 'i',
  '!': 'i',
  '|': 'i',
  l: 'i',
  ı: 'i',
  q: 'g',
  '+': 't',
  '(': 'c',
  '¢': 'c',
  $: 's',
  '€': 'e',
  '@': 'a',
};
/** Letters that look like one beside each other. An l is an i by now. */
const TOGETHER: readonly [RegExp, string][] = [
  [/rn/g, 'm'],
  [/vv|uu/g, 'w'],
  [/ci/g, 'd'],
  [/cj/g, 'g'],
];

function fold(word: string): string {
  const letters = Array.from(word, (sign) => READ_AS[sign] ?? sign)
    .join('')
    .replace(/[^\p{L}\p{N}]+/gu, '');
  return TOGETHER.reduce((text, [pair, one]) => text.replace(pair, one), letters);
}

/** The words of a name, each as it looks: accents, case, and the script or digit of a sign don't count. */
export const skeletonWords = (name: string): string[] =>
  normalizeText(name)
    .toLowerCase()
    .split(/[\s\p{Z}._\-–—/,:;·]+/u)
    .map(fold)
    .filter((word) => word !== '');

/** Returns what a name looks like: two names with the same skeleton are easily taken for each other; '' if it has no letters. */
export const skeletonOf = (name: string): string => skeletonWords(name).join('');

/** A six is a G or a b. */
const SIX = /\p{Nd}/gu;

/** Returns all that a name may look like: two names that share one are easily taken for each other. None if it has no letters. */
export function skeletonsOf(name: string): string[] {
  const withB = name.replace(SIX, (digit) => (normalizeText(digit) === '6' ? 'b' : digit));
  return [...new Set([skeletonOf(name), skeletonOf(withB)])].filter((look) => look !== '');
}
