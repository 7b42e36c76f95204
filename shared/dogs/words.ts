import { uncapitalized } from '../capitalized.ts';
import { dogNote, type Dog, type DogCoat, type DogNote, type DogSize } from './contract.ts';

export const NOTE_WORDS: Record<DogNote, string> = {
  in_heat: 'In heat',
  fearful_of_men: 'Fearful of men',
  blind: 'Blind',
  deaf: 'Deaf',
  in_training: 'In training',
  puppy: 'Puppy',
  friendly_on_leash: 'Friendly on leash',
};

export const SIZE_WORDS: Record<DogSize, string> = {
  small: 'Small',
  medium: 'Medium',
  large: 'Large',
};

export const COAT_WORDS: Record<DogCoat, string> = {
  black: 'Black',
  brown: 'Brown',
  golden: 'Golden',
  white: 'White',
  gray: 'Gray',
  mixed: 'Mixed',
};

/** Returns words in one line, of which only the first is capitalized, such as 'In heat, deaf'. */
const inOneLine = ([first, ...rest]: readonly string[]): string =>
  [first ?? '', ...rest.map(uncapitalized)].join(', ');

/**
 * Returns a dog's notes for a warning, to read or to hear, such as 'In heat, deaf'; those that matter most come first.
 * @returns '' without notes
 */
export const dogNotesText = ({ notes = [] }: { notes?: readonly DogNote[] }): string =>
  inOneLine(dogNote.options.filter((note) => notes.includes(note)).map((note) => NOTE_WORDS[note]));

type Described = Pick<Dog, 'breed' | 'size' | 'birth_year'>;

/**
 * Returns what kind of dog it is, such as 'Border Collie · medium · 4 years'.
 * @param now of which the age is
 * @returns '' if nothing is known
 */
export function dogDescription({ breed, size, birth_year }: Described, now = new Date()): string {
  const known = [breed, size && SIZE_WORDS[size], birth_year && ageWords(birth_year, now)];
  const [first, ...rest] = known.filter((part): part is string => Boolean(part));
  return [first, ...rest.map((part) => part.toLowerCase())].filter(Boolean).join(' · ');
}

/** By the year of birth alone, an age is known to a year. */
function ageWords(birthYear: number, now: Date): string {
  const years = now.getFullYear() - birthYear;
  if (years < 1) return 'Under 1 year';
  return years === 1 ? 'About 1 year' : `About ${years} years`;
}
