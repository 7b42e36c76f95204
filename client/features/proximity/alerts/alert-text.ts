import type { NearbyUser } from '#shared/proximity/contract.ts';
import type { SoundType } from '#shared/dogs/contract.ts';
import { RADIUS_FEET } from '#shared/proximity/rules.ts';
import type { Units } from '#shared/units.ts';

export type NearbyDog = NearbyUser['dogs'][number];

/** What each alert sound means, spoken when an owner picks it. */
export const SOUND_MEANING: Record<SoundType, string> = {
  leash_on: 'Leash on. A deep, assertive bark: this dog must be leashed.',
  leash_off: 'Leash off. A friendly bark: off-leash interaction is welcome.',
};

/** Creates the formatter on demand: it costs a phone a tenth of a second. */
export const listed = (names: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(names);

/** @param feet from the API: in steps within the standard radius, the outer edge of a band beyond it */
export function distanceWords(feet: number, units: Units): string {
  if (feet < 1) return 'right here';
  return feet > RADIUS_FEET ? distanceText(feet, units) : `${distanceText(feet, units)} away`;
}

/** Returns '80 feet' or 'within 250 feet', in the owner's units. */
export const distanceText = (feet: number, units: Units): string =>
  feet > RADIUS_FEET ? `within ${units.near(units.roundUp(feet))}` : units.near(feet);

/** Returns '80 ft' or 'within 250 ft', in the owner's units. */
export const shortDistance = (feet: number, units: Units): string =>
  feet > RADIUS_FEET ? `within ${units.nearShort(units.roundUp(feet))}` : units.nearShort(feet);

/** Returns the names of the dogs that need space. */
export const waryNames = (dogs: readonly Pick<NearbyDog, 'name' | 'sound_type'>[]): string[] =>
  dogs.filter((dog) => dog.sound_type === 'leash_on').map((dog) => dog.name);

/** `from`: the number of seconds from which the unit is used; longest first. */
const UNITS = [
  { seconds: 86_400, from: 172_800, unit: 'day' },
  { seconds: 3_600, from: 5_400, unit: 'hour' },
  { seconds: 60, from: 60, unit: 'minute' },
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
