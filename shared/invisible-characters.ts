/** Invisible characters: controls, soft hyphens, joiners, and marks that change the reading direction. */
const UNSEEN = /[^\P{Cc}\n]|[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;
/** Letters that are drawn as nothing. */
const BLANK = /[\s\u115f\u1160\u3164\uffa0\u2800]+/gu;

/** Returns a text without invisible characters; line breaks stay. */
export const withoutUnseen = (words: string): string => words.replace(UNSEEN, '');

/** A name as it is shown among other words, which it must not turn around or hide among: one line; '' where nothing shows. */
export function plainName(name: string): string {
  const plain = withoutUnseen(name.replace(BLANK, ' ')).replace(/ +/g, ' ').trim();
  // Joiners hold letters and emoji together, and are nothing by themselves.
  return /[^\s\p{Cf}\p{M}]/u.test(plain) ? plain : '';
}
