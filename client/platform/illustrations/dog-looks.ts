import type { Dog } from '#shared/dogs/contract.ts';

export type DogSize = NonNullable<Dog['size']>;
export type DogCoat = NonNullable<Dog['coat']>;

export interface DogLook {
  size: DogSize;
  coat: DogCoat;
  /** Index of the background. */
  ground: number;
}

const SIZES: readonly DogSize[] = ['small', 'medium', 'large'];
const COATS: readonly DogCoat[] = ['black', 'brown', 'golden', 'white', 'gray', 'mixed'];
export const GROUNDS = ['#f6d9a0', '#cfe0c8', '#d9d3f0', '#f4cbbd'] as const;

/** Colors of the coat, the ears and the muzzle. They are the same in light and dark, as in a photo. */
export const COATS_DRAWN: Record<DogCoat, { coat: string; ear: string; muzzle: string }> = {
  black: { coat: '#3a3438', ear: '#241f23', muzzle: '#5b5257' },
  brown: { coat: '#8a5433', ear: '#653a20', muzzle: '#b98a64' },
  golden: { coat: '#dfa24a', ear: '#bb7c2b', muzzle: '#f3d7a3' },
  white: { coat: '#f7f1e6', ear: '#dccfb9', muzzle: '#fffdf8' },
  gray: { coat: '#8d8a90', ear: '#69666e', muzzle: '#c1bec3' },
  mixed: { coat: '#f3e7d3', ear: '#7a4a2c', muzzle: '#fffaf0' },
};

/** FNV-1a, so that similar ids look different. */
function hash(text: string): number {
  let sum = 2166136261;
  for (const character of text)
    sum = Math.imul(sum ^ (character.codePointAt(0) ?? 0), 16777619) >>> 0;
  return sum;
}

/**
 * Returns how a dog without a photo is drawn. Unknown features follow from the seed, so that a dog looks the same on
 * each screen and to everyone.
 * @param seed the name of the dog, because others don't get an id of it
 */
export function lookOf(
  seed: string,
  { size, coat }: { size?: DogSize | null; coat?: DogCoat | null } = {},
): DogLook {
  const sum = hash(seed);
  return {
    size: size ?? SIZES[sum % SIZES.length] ?? 'medium',
    coat: coat ?? COATS[(sum >>> 8) % COATS.length] ?? 'golden',
    ground: (sum >>> 16) % GROUNDS.length,
  };
}
