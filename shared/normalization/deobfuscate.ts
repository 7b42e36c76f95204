import { resolveConfusablesTransformer } from 'obscenity';

/**
 * A word as it may have been meant. Each entry has the letters that a character may stand for: `ANY` for a character
 * that covers a letter, '' for a letter of another script.
 */
export type Token = string[];

/** The ways to read a text. */
export interface Readings {
  /** The words of the text, once for each way. */
  sequences: Token[][];
  /** Words that are spelled letter by letter, such as 'b a d'. */
  spelled: Token[];
}

/** Stands for any letter. */
export const ANY = '*';

/** Longer texts are cut; none that users can enter is longer. */
const TEXT_MAX = 4_000;
/** A character that stands for more letters is a phrase, not part of a word: U+FDFA stands for 18. */
const STANDS_FOR_MAX = 4;
const SPELLED_MIN = 3;

/** Digits that look like one letter. */
export const DIGITS_READ_AS: Readonly<Record<string, string>> = {
  '0': 'o',
  '2': 'z',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '6': 'g',
  '7': 't',
  '8': 'b',
  '9': 'g',
};
const LEET: Record<string, string> = {
  ...DIGITS_READ_AS,
  '1': 'il',
  '!': 'il',
  '|': 'il',
  '+': 't',
  '(': 'c',
  $: 's',
  '€': 'e',
  '¢': 'c',
  '@': ANY,
  '*': ANY,
  '#': ANY,
  '%': ANY,
};
/** Letters that are put for others: 'shlt', 'cvnt'. */
const ALIKE: Record<string, string> = { l: 'li', v: 'vu', ı: 'il' };
const DIGIT = /\d/;
const LETTER = /[a-zı]/;
const OTHER_LETTER = /[\p{L}\p{N}]/u;
const APOSTROPHE = /['’‘`´]/;
/** These characters are punctuation at the beginning or end of a word; a plus at the end may be a 't'. */
const EDGE = /^[!|(+*#%]+|[!|(*#%]+$/g;
const AROUND = /^[^a-zı]+|[^a-zı]+$/g;
/** Accents, characters without width, and letters that are invisible. */
const UNSEEN = /[\p{M}\p{Cf}\u115f\u1160\u3164\uffa0\u2800]/gu;

/** One stroke: an 'i' or an 'l', as a capital I may be; 'ı' stands for them here. obscenity's table has them as 'l' only. */
const UPRIGHT = /[I\u0131\u0196\u0269\u01c0\u0399\u03b9\u0406\u04c0\u04cf\u05d5\u05df]/;
/** What the table lacks: a small capital, two letters of Cherokee and one of Lisu. */
const LACKING: Readonly<Record<string, string>> = {
  '\ua730': 'f',
  '\u13c2': 'h',
  '\u13a5': 'i',
  '\ua4d9': 'j',
};

const lookalikes = resolveConfusablesTransformer();
const plainSign = (sign: string): string => {
  if (UPRIGHT.test(sign)) return 'ı';
  if (sign.charCodeAt(0) < 128) return sign.toLowerCase();
  const lacking = LACKING[sign];
  if (lacking !== undefined) return lacking;
  const alike = 'transform' in lookalikes && lookalikes.transform(sign.codePointAt(0) ?? 0);
  return typeof alike === 'number' ? String.fromCodePoint(alike).toLowerCase() : sign;
};

function plainSigns(sign: string): string {
  const signs = Array.from(sign.normalize('NFKD').replace(UNSEEN, ''));
  return signs.length > STANDS_FOR_MAX ? ' ' : signs.map(plainSign).join('');
}

/** Returns a text in lower case without accents and invisible characters, with lookalikes replaced by Latin letters. */
export const normalizeText = (text: string): string =>
  Array.from(text).slice(0, TEXT_MAX).map(plainSigns).join('');

const isCover = (sign: string) => LEET[sign] === ANY;
const isWordSign = (sign: string) => LETTER.test(sign) || OTHER_LETTER.test(sign);

function tokenOf(signs: string): Token {
  const all = Array.from(signs);
  return all.map((sign, at) => {
    if (LETTER.test(sign)) return ALIKE[sign] ?? sign;
    // People who cover letters leave the first and the last one.
    if (isCover(sign) && (at === 0 || at === all.length - 1)) return sign === '@' ? 'a' : '';
    return LEET[sign] ?? '';
  });
}

/** 'sh1t' may be a word in disguise; 'A55' is a road. */
function mayBeWord(signs: string): boolean {
  let letters = 0;
  let digits = 0;
  let covers = 0;
  for (const sign of signs) {
    if (LETTER.test(sign)) letters++;
    else if (DIGIT.test(sign)) digits++;
    else if (isCover(sign)) covers++;
  }
  const others = Array.from(signs).length - letters - digits - covers;
  return letters > 0 && letters + others >= digits && letters >= covers;
}

/** Splits a text at characters that can't be part of a word. */
function piecesOf(chunk: string, isPart: (sign: string) => boolean): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const sign of chunk) {
    if (isPart(sign)) piece += sign;
    else if (piece && !APOSTROPHE.test(sign)) {
      pieces.push(piece);
      piece = '';
    }
  }
  return piece ? [...pieces, piece] : pieces;
}

const isDisguised = (sign: string) => isWordSign(sign) || sign in LEET;

/** "who're" without its apostrophe is another word. */
const WHO_ARE = /\bwho['’‘`´]re\b/gi;
/** The text after the first of these characters is shown backwards. */
const TURNED = /\u202e([^\u202c]*)/g;

/**
 * Returns the ways to read a text: as written; without digits and letters of other scripts around its words; with digits and
 * symbols as letters; without the characters between its letters; spelled letter by letter; and as shown, if parts of it are
 * shown backwards. Takes time in proportion to the text's length.
 */
export function interpretations(text: string): Readings {
  const asWritten = readingsFrom(text);
  const shown = text.replace(TURNED, (_, turned: string) =>
    Array.from(turned).toReversed().join(''),
  );
  if (shown === text) return asWritten;
  const asShown = readingsFrom(shown);
  return {
    sequences: [...asWritten.sequences, ...asShown.sequences],
    spelled: [...asWritten.spelled, ...asShown.spelled],
  };
}

function readingsFrom(text: string): Readings {
  const chunks = normalizeText(text.replace(WHO_ARE, 'who are'))
    .split(/[\s\p{Z}]+/u)
    .filter(Boolean);
  const written: string[] = [];
  const disguised: string[] = [];
  const joined: string[] = [];
  for (const chunk of chunks) {
    written.push(...piecesOf(chunk, isWordSign));
    const pieces = piecesOf(chunk, isDisguised)
      .map((piece) => piece.replace(EDGE, ''))
      .filter(Boolean);
    disguised.push(...pieces);
    if (pieces.length > 0) joined.push(pieces.join(''));
  }
  const bare = written.map((word) => word.replace(AROUND, '')).filter(Boolean);
  const different = [
    ...new Set([written, bare, disguised, joined].map((words) => words.join(' '))),
  ];
  return {
    sequences: different.map((words) =>
      words.split(' ').map((word) => (mayBeWord(word) ? tokenOf(word) : [])),
    ),
    spelled: spelledIn(disguised),
  };
}

function spelledIn(words: string[]): Token[] {
  const found: Token[] = [];
  let run = '';
  for (const word of [...words, '']) {
    if (Array.from(word).length === 1) {
      run += word;
      continue;
    }
    if (Array.from(run).length >= SPELLED_MIN && mayBeWord(run)) found.push(tokenOf(run));
    run = '';
  }
  return found;
}
