import { normalizeText } from '../moderation/deobfuscate.ts';

/** Signs that are read as a letter. Upright strokes are alike in most typefaces: I, l, 1 and |. */
const READ_AS: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '!': 'i',
  '|': 'i',
  l: 'i',
  ı: 'i',
  $: 's',
  '€': 'e',
  '@': 'a',
};

const fold = (word: string): string =>
  Array.from(word, (sign) => READ_AS[sign] ?? sign)
    .join('')
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** The words of a name, each as it looks: accents, case, and the script or digit of a sign don't count. */
export const skeletonWords = (name: string): string[] =>
  normalizeText(name)
    .toLowerCase()
    .split(/[\s\p{Z}._\-–—/,:;·]+/u)
    .map(fold)
    .filter((word) => word !== '');

/** Returns what a name looks like: two names with the same skeleton are easily taken for each other; '' if it has no letters. */
export const skeletonOf = (name: string): string => skeletonWords(name).join('');
