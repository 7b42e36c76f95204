import { capitalized, uncapitalized } from '#shared/capitalized.ts';
import type { Dog, DogNote, SoundType } from '#shared/dogs/contract.ts';
import { dogNotesText } from '#shared/dogs/words.ts';
import type { AnswerPhrase } from '#shared/proximity/contract.ts';
import { listed, type NearbyDog, waryNames } from './alert-text.ts';

/** The owner's side of an encounter. */
export interface OwnSide {
  /** Names of the owner's dogs that need space. */
  wary: readonly string[];
  /** What others should know of the owner's dogs. */
  notes: readonly DogNote[];
  /** The name of a place nearby that requires leashes; null if none is known. */
  leashPlace: string | null;
}

/** How friendly dogs meet of which one has a note, the most careful first. */
const GREETINGS: readonly (readonly [DogNote, string])[] = [
  ['in_heat', 'Leash your dog and keep them apart.'],
  ['blind', 'Let them meet slowly, on the leash.'],
  ['deaf', 'Let them meet slowly, on the leash.'],
  ['in_training', 'Ask before they meet.'],
  ['friendly_on_leash', 'Say hello on the leash.'],
];

/** Returns the owner's side by the dogs that came along. */
export const ownSide = (along: readonly Dog[]): Omit<OwnSide, 'leashPlace'> => ({
  wary: waryNames(along),
  notes: along.flatMap(({ notes = [] }) => notes),
});

/** Who gave an answer: the other walker or the owner. */
export type Answerer = 'theirs' | 'own';

/** How an encounter with dogs concerns the owner. */
export interface Verdict {
  /** Whether one of the two sides has a dog that needs space. */
  isUrgent: boolean;
  /** Which dogs matter, such as 'Rex and Max'. */
  names: string;
  /** The same for one line, where several names don't fit, such as '2 dogs'. */
  brief: string;
  /** Why, such as 'need space'. */
  verdict: string;
  /** What to do. */
  advice: string;
  /** What else to know of these dogs, such as 'Deaf'; '' if nothing. */
  notes: string;
}

/** Returns the names of dogs as a subject, and whether it is plural. Anonymous dogs have no names. */
function subjectOf(
  names: readonly string[],
): Pick<Verdict, 'names' | 'brief'> & { isPlural: boolean } {
  const known = names.filter((name) => name !== '');
  const unknown = names.length - known.length;
  const others = unknown === 1 ? 'a dog' : `${unknown} dogs`;
  const all = unknown > 0 ? [...known, others] : known;
  const isPlural = names.length > 1;
  const subject = capitalized(listed(all));
  return { names: subject, brief: isPlural ? `${names.length} dogs` : subject, isPlural };
}

const isOnLeash = ({ notes }: NearbyDog) => notes?.includes('friendly_on_leash') ?? false;

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
 * leash, for an owner whose dog needs space. Play off leash is suggested only if neither side needs space or has a note against it, and
 * no place nearby requires leashes. Decision 295.
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
  const { isPlural, ...subject } = subjectOf(about.map(({ name }) => name));
  if (needing.length > 0) {
    const verdict = isPlural ? 'need space' : 'needs space';
    const advice = giveRoom(waryNames(needing));
    return { ...subject, notes: notesOn(needing), isUrgent: true, verdict, advice };
  }
  const areOnLeash = dogs.length > 0 && dogs.every(isOnLeash);
  const friendly = `${isPlural ? 'are' : 'is'} friendly${areOnLeash ? ' on leash' : ''}`;
  // What the verdict says isn't said twice.
  const notes = notesOn(areOnLeash ? dogs.map(withoutLeashNote) : dogs);
  const words = { ...subject, notes };
  if (own.wary.length > 0) {
    const advice = `Give your ${own.wary.length > 1 ? 'dogs' : 'dog'} room.`;
    return {
      ...words,
      isUrgent: true,
      verdict: areOnLeash ? friendly : 'may be off leash',
      advice,
    };
  }
  const companions = waryNames(all);
  const noted = [...own.notes, ...all.flatMap((dog) => dog.notes ?? [])];
  const [, greeting] = GREETINGS.find(([note]) => noted.includes(note)) ?? [];
  let advice = 'Off-leash play is welcome where it’s allowed.';
  if (companions.length > 0) advice = giveRoom(companions);
  else if (greeting) advice = greeting;
  else if (own.leashPlace !== null) advice = `Leashes are required at ${own.leashPlace}.`;
  return { ...words, isUrgent: false, verdict: friendly, advice };
}

const withoutLeashNote = (dog: NearbyDog): NearbyDog => ({
  ...dog,
  notes: dog.notes?.filter((note) => note !== 'friendly_on_leash'),
});

/** Somebody without dogs concerns no dog, but isn't near unseen. */
export const withoutDogs = (name: string): Verdict => ({
  isUrgent: false,
  names: name,
  brief: name,
  verdict: 'is near',
  advice: '',
  notes: '',
});

/** Returns what to do once the two walkers have told each other what they do; null if that doesn't change it. */
export function answeredAdvice({
  theirs,
  own,
}: Record<Answerer, AnswerPhrase | null>): string | null {
  if (theirs === 'crossing')
    return own === 'crossing' ? 'You both cross: one of you should stay.' : 'Stay on your side.';
  if (theirs !== 'waiting') return null;
  if (own === 'crossing') return 'They wait while you cross.';
  return own === 'waiting' ? 'You both wait: one of you can go.' : 'Pass with plenty of room.';
}

/** Returns the sound, voice and vibration of a verdict: those of the dog type with the same urgency. */
export const soundOf = ({ isUrgent }: Pick<Verdict, 'isUrgent'>): SoundType =>
  isUrgent ? 'leash_on' : 'leash_off';
