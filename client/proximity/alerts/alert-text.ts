import type { NearbyUser } from '#shared/proximity/contract.ts';
import type { SoundType } from '#shared/dogs/contract.ts';
import { RADIUS_FEET } from '#shared/proximity/rules.ts';

export type NearbyDog = NearbyUser['dogs'][number];

/** What each alert sound means, spoken when an owner picks it. */
export const SOUND_MEANING: Record<SoundType, string> = {
  leash_on: 'Leash on. A deep, assertive bark: this dog must be leashed.',
  leash_off: 'Leash off. A friendly bark: off-leash interaction is welcome.',
};

/** Creates the formatter on demand: it costs a phone a tenth of a second. */
const listed = (names: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(names);

/** @param feet from the API: in steps within the standard radius, the outer edge of a band beyond it */
export function distanceWords(feet: number): string {
  if (feet < 1) return 'right here';
  return feet > RADIUS_FEET ? `within ${Math.round(feet)} feet` : `${Math.round(feet)} feet away`;
}

/** Short form of `distanceWords`. @param unit such as 'ft' */
export const shortDistance = (feet: number, unit: string): string =>
  `${feet > RADIUS_FEET ? 'within ' : ''}${Math.round(feet)} ${unit}`;

/** Returns the names of the dogs that need space. */
export const waryNames = (dogs: readonly Pick<NearbyDog, 'name' | 'sound_type'>[]): string[] =>
  dogs.filter((dog) => dog.sound_type === 'leash_on').map((dog) => dog.name);

/** Returns which of a person's dogs matter, and why: those that need space, else all of them. */
export function headline(dogs: NearbyDog[]): { names: string; verdict: string } {
  const wary = waryNames(dogs);
  const names = wary.length > 0 ? wary : dogs.map((dog) => dog.name);
  const several = names.length > 1;
  const verdict =
    wary.length > 0
      ? several
        ? 'need space'
        : 'needs space'
      : several
        ? 'are friendly'
        : 'is friendly';
  return { names: listed(names), verdict };
}

/**
 * Returns what to do about one person's dogs.
 * @param own names of the owner's own dogs that need space; with any, off-leash play isn't suggested
 */
export function advice(dogs: NearbyDog[], own: string[]): string {
  const wary = waryNames(dogs);
  if (wary.length > 0) return `Leash your dog and give ${wary.length > 1 ? 'them' : wary[0]} room.`;
  if (own.length > 0) {
    const names = listed(own);
    return `Keep ${names} leashed: ${names} ${own.length > 1 ? 'need' : 'needs'} space.`;
  }
  return 'Off-leash play is welcome.';
}

export interface Announcement {
  /** Title of the notification. */
  title: string;
  /** Its text. */
  body: string;
  /** What is spoken. */
  speech: string;
}

/** Returns the texts of the alert about one dog: which dog, who, how far, what to do. */
export function announce(
  user: Pick<NearbyUser, 'display_name' | 'distance_feet'>,
  dog: NearbyDog,
  own: string[],
): Announcement {
  const { names, verdict } = headline([dog]);
  const what = `${names} ${verdict}`;
  const body = `${user.display_name} is ${distanceWords(user.distance_feet)}. ${advice([dog], own)}`;
  return {
    title: dog.sound_type === 'leash_on' ? `HIGH: ${what}` : what,
    body,
    speech: `${what}. ${body}`,
  };
}

/** `from`: the number of seconds from which the unit is used; longest first. */
const UNITS = [
  { seconds: 86_400, from: 172_800, unit: 'day' },
  { seconds: 3_600, from: 5_400, unit: 'hour' },
  { seconds: 60, from: 90, unit: 'minute' },
] as const;

/** Formats a duration, from seconds to days, such as '4 minutes'. */
export function durationWords(milliseconds: number): string {
  const length = Math.round(milliseconds / 1000);
  const { seconds, unit } = UNITS.find(({ from }) => length >= from) ?? {
    seconds: 1,
    unit: 'second',
  };
  const count = Math.round(length / seconds);
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
