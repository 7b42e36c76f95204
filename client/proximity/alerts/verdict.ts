import type { SoundType } from '#shared/dogs/contract.ts';
import type { NearbyDog } from './alert-text.ts';
import { listed, waryNames } from './alert-text.ts';

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
}

/** Returns the names of dogs as a subject, and whether it is plural. Anonymous dogs have no names. */
function subjectOf(names: readonly string[]): { names: string; isPlural: boolean } {
  const known = names.filter((name) => name !== '');
  const unknown = names.length - known.length;
  const others = unknown === 1 ? 'a dog' : `${unknown} dogs`;
  const all = unknown > 0 ? [...known, others] : known;
  const subject = listed(all);
  return {
    names: subject.charAt(0).toUpperCase() + subject.slice(1),
    isPlural: names.length > 1,
  };
}

/** Returns the advice about one person's dogs that need space. */
function giveRoom(wary: readonly string[]): string {
  const [name] = wary;
  return `Leash your dog and give ${wary.length > 1 ? 'them' : name || 'it'} room.`;
}

/**
 * Decides how dogs concern the owner. A dog that needs space is urgent for everyone, and so is a dog off leash for an owner whose
 * dog needs space. Play off leash is suggested only if neither side needs space and no place nearby requires leashes.
 * @param dogs the dogs that it is about: all of a person's, or one of them
 * @param all all dogs of that person
 */
export function verdictOf(
  dogs: readonly NearbyDog[],
  own: OwnSide,
  all: readonly NearbyDog[] = dogs,
): Verdict {
  const wary = waryNames(dogs);
  if (wary.length > 0) {
    const { names, isPlural } = subjectOf(wary);
    const verdict = isPlural ? 'need space' : 'needs space';
    return { isUrgent: true, names, verdict, advice: giveRoom(wary) };
  }
  const { names, isPlural } = subjectOf(dogs.map(({ name }) => name));
  if (own.wary.length > 0) {
    const advice = `Give your ${own.wary.length > 1 ? 'dogs' : 'dog'} room.`;
    return { isUrgent: true, names, verdict: `${isPlural ? 'are' : 'is'} off leash`, advice };
  }
  const verdict = isPlural ? 'are friendly' : 'is friendly';
  const companions = waryNames(all);
  if (companions.length > 0)
    return { isUrgent: false, names, verdict, advice: giveRoom(companions) };
  const advice =
    own.leashPlace === null
      ? 'Off-leash play is welcome.'
      : `Leashes are required at ${own.leashPlace}.`;
  return { isUrgent: false, names, verdict, advice };
}

/** Returns the sound, voice and vibration of a verdict: those of the dog type with the same urgency. */
export const soundOf = ({ isUrgent }: Pick<Verdict, 'isUrgent'>): SoundType =>
  isUrgent ? 'leash_on' : 'leash_off';
