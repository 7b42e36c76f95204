import { metresBetween } from '#shared/place.ts';
import { RADIUS_FEET, shownFeet } from '#shared/proximity/rules.ts';
import type { Encounter } from './encounter-world.ts';
import { mayMeet, needsSpace, type Live, type Person } from './live.ts';

const countWary = ({ dogs }: Person): number => dogs.filter(needsSpace).length;

/**
 * Takes what is new of somebody.
 * @returns whom to tell of it: those who are with them and know of friendlier dogs, if one more needs space now
 */
export function renew(live: Live, person: Person): Encounter[] {
  const turned = countWary(person) > countWary(live.person);
  live.person = person;
  if (!turned) return [];
  return [...(live.inside?.keys() ?? [])]
    .filter((other) => mayMeet(live, other))
    .map((other) => ({
      mover: person,
      other: other.person,
      distance_feet: Math.min(RADIUS_FEET, shownFeet(metresBetween(live, other))),
    }));
}
