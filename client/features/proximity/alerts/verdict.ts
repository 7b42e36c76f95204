import { capitalized, uncapitalized } from '#shared/capitalized.ts';
import type { SoundType } from '#shared/dogs/contract.ts';
import { dogNotesText } from '#shared/dogs/words.ts';
import { listed, type NearbyDog, waryNames } from './alert-text.ts';

/** The owner's side of an encounter. */
export interface OwnSide {
  /** Names of the owner's dogs that need space. */
  wary: readonly string[];
  /** The name of a place nearby that requires leashes; null if none is known. */
  leashPlace: string | null;
}

/** How an encounter with dogs concerns the owner. */
export interface Verdict {
  /** Whether one of the two sides has a dog that needs space. */
  isUrgent: boolean;
  /** Which dogs matter, such as 'Rex and Max'. */
  names: string;
  /** Why, such as 'need space'. */
  verdict: string;
  /** What to do. */
  advice: string;
  /** What else to know of these dogs, such as 'Deaf'; '' if nothing. */
  notes: string;
}

/** Returns the names of dogs as a subject, and whether it is plural. Anonymous dogs have no names. */
function subjectOf(names: readonly string[]): { names: string; isPlural: boolean } {
  const known = names.filter((name) => name !== '');
  const unknown = names.length - known.length;
  const others = unknown === 1 ? 'a dog' : `${unknown} dogs`;
  const all = unknown > 0 ? [...known, others] : known;
  return { names: capitalized(listed(all)), isPlural: names.length > 1 };
}

/** Returns the notes on dogs: of one dog, 'Deaf'; of several, 'Rex: deaf. Max: puppy'. */
function notesOn(dogs: readonly NearbyDog[]): string {
  const noted = dogs.filter((dog) => dogNotesText(dog) !== '');
  const [only] = noted;
  if (only && dogs.length === 1) return dogNotesText(only);
  return noted.map((dog) => `${dog.name}: ${uncapitalized(dogNotesText(dog))}`).join('. ');
}

/** Returns the advice about one person's dogs that need space. */
function giveRoom(wary: readonly string[]): string {
  const [name] = wary;
  return `Leash your dog and give ${wary.length > 1 ? 'them' : name || 'it'} room.`;
}

/**
 * Decides how dogs concern the owner. A dog that needs space is urgent for everyone, and so is a friendly dog, which may be off
 * leash, for an owner whose dog needs space. Play off leash is suggested only if neither side needs space and no place nearby requires leashes. Decision 295.
 * @param dogs the dogs that it is about: all of a person's, or one of them
 * @param all all dogs of that person
 */
export function verdictOf(
  dogs: readonly NearbyDog[],
  own: OwnSide,
  all: readonly NearbyDog[] = dogs,
): Verdict {
  const needing = dogs.filter(({ sound_type }) => sound_type === 'leash_on');
  const about = needing.length > 0 ? needing : dogs;
  const { names, isPlural } = subjectOf(about.map(({ name }) => name));
  const words = { names, notes: notesOn(about) };
  if (needing.length > 0) {
    const verdict = isPlural ? 'need space' : 'needs space';
    return { ...words, isUrgent: true, verdict, advice: giveRoom(waryNames(needing)) };
  }
  if (own.wary.length > 0) {
    const advice = `Give your ${own.wary.length > 1 ? 'dogs' : 'dog'} room.`;
    return { ...words, isUrgent: true, verdict: 'may be off leash', advice };
  }
  const companions = waryNames(all);
  let advice = 'Off-leash play is welcome.';
  if (companions.length > 0) advice = giveRoom(companions);
  else if (own.leashPlace !== null) advice = `Leashes are required at ${own.leashPlace}.`;
  return { ...words, isUrgent: false, verdict: `${isPlural ? 'are' : 'is'} friendly`, advice };
}

/** Somebody without dogs concerns no dog, but isn't near unseen. */
export const withoutDogs = (name: string): Verdict => ({
  isUrgent: false,
  names: name,
  verdict: 'is near',
  advice: '',
  notes: '',
});

/** Returns the sound, voice and vibration of a verdict: those of the dog type with the same urgency. */
export const soundOf = ({ isUrgent }: Pick<Verdict, 'isUrgent'>): SoundType =>
  isUrgent ? 'leash_on' : 'leash_off';
