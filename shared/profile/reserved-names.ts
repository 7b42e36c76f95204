import { skeletonOf, skeletonWords } from '../normalization/name-skeleton.ts';

export const RESERVED_NAME = 'This name is reserved for our team. Choose another one.';

/** Nobody is called this: a name with a word that begins so is reserved. */
const ROLES = ['admin', 'moderator', 'sysadmin', 'webmaster'].map(skeletonOf);
/** Reserved if a name consists of these only: 'Official Support', but not 'Sam Staff'. */
const OFFICES = new RegExp(
  `^(?:${[
    'mod',
    'mods',
    'moderation',
    'staff',
    'team',
    'support',
    'official',
    'security',
    'safety',
    'trustandsafety',
    'customer',
    'care',
    'service',
    'help',
    'desk',
    'system',
    'account',
    'the',
  ]
    .map(skeletonOf)
    .join('|')})+$`,
);
/** A shorter name of a product is part of too many people's names. */
const PRODUCT_MIN = 5;

/** Single letters in a row are one word: 'A d m i n'. */
function joinLetters(words: readonly string[]): string[] {
  const joined: string[] = [];
  let wasLetter = false;
  for (const word of words) {
    const isLetter = Array.from(word).length === 1;
    joined.push(isLetter && wasLetter ? `${joined.pop() ?? ''}${word}` : word);
    wasLetter = isLetter;
  }
  return joined;
}

/**
 * Whether a name claims to be the product or its staff, also with lookalikes: 'Lеashwise' with a Cyrillic letter, 'Adm1n'.
 * @param product the product's name
 */
export function isReservedName(name: string, product: string): boolean {
  const words = joinLetters(skeletonWords(name));
  const whole = words.join('');
  const own = skeletonOf(product);
  if (own !== '' && (own.length < PRODUCT_MIN ? whole === own : whole.includes(own))) return true;
  return words.some((word) => ROLES.some((role) => word.startsWith(role))) || OFFICES.test(whole);
}
