import type { NearbyUser } from '#shared/proximity/contract.ts';
import { RADIUS_FEET } from '#shared/proximity/rules.ts';
import type { Units } from '#shared/units.ts';

type Course = Pick<NearbyUser, 'side' | 'closest_in_seconds'>;
export type NearbyDog = NearbyUser['dogs'][number];

/** Creates the formatter on demand: it costs a phone a tenth of a second. */
export const listed = (names: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(names);

/** @param feet from the API: in steps within the standard radius, the outer edge of a band beyond it */
export function distanceWords(feet: number, units: Units): string {
  if (feet < 1) return 'right here';
  return feet > RADIUS_FEET ? distanceText(feet, units) : `${distanceText(feet, units)} away`;
}

const SIDES = { ahead: 'ahead', beside: 'beside you', behind: 'behind you' } as const;

/** Returns where and when, such as 'ahead, closest in 10 seconds'; empty if neither is known. */
export const courseWords = ({ side, closest_in_seconds: seconds }: Course): string =>
  [
    ...(side ? [SIDES[side]] : []),
    ...(seconds === undefined ? [] : [`closest in ${seconds} seconds`]),
  ].join(', ');

/** Returns '80 feet' or 'within 250 feet', in the owner's units. */
export const distanceText = (feet: number, units: Units): string =>
  feet > RADIUS_FEET ? `within ${units.near(units.roundUp(feet))}` : units.near(feet);

/** Returns '80 ft' or 'within 250 ft', in the owner's units. */
export const shortDistance = (feet: number, units: Units): string =>
  feet > RADIUS_FEET ? `within ${units.nearShort(units.roundUp(feet))}` : units.nearShort(feet);

/** Returns the names of the dogs that need space. */
export const waryNames = (dogs: readonly Pick<NearbyDog, 'name' | 'sound_type'>[]): string[] =>
  dogs.filter((dog) => dog.sound_type === 'leash_on').map((dog) => dog.name);
