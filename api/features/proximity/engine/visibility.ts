import { METERS_PER_FOOT, metersBetween } from '#shared/place.ts';
import {
  bandFeet,
  RADIUS_FEET,
  RADIUS_METERS,
  shownFeet,
  WIDEST_FEET,
} from '#shared/proximity/rules.ts';
import { type ActiveUser, needsSpace, type Person } from './active-user.ts';

/**
 * The one rule of who is shown to whom (decision 357). Every function here gives the same answer for (a, b) as for (b, a), so nobody is
 * shown somebody who is not shown them. Beyond the encounter radius, it depends on coarse locations only (decision 230).
 */

/** Two users are shown to each other by name, or as a dog without a name. */
export type Relation = 'named' | 'anonymous';

/** What decides the relation of two users, besides where they are. */
export type Side = SideAnywhere & Pick<ActiveUser, 'isIneligible'>;

/** The same, if the position can be used. */
export type SideAnywhere = Pick<ActiveUser, 'isNameless'> & {
  person: Pick<Person, 'user_id' | 'dogs' | 'blocked'>;
};

/**
 * Two users with a dog that needs space are warned of each other without names within this distance of their coarse locations, in
 * meters: of those who come within the encounter radius, all but one in 10,000 are within it.
 */
export const ANONYMOUS_METERS = 600 * METERS_PER_FOOT;

/**
 * Returns how two users are shown to each other; null: not at all, and neither may notice the other. Without names if one of them walks
 * without a name or blocked the other, which look the same, and then only if both have dogs of which one needs space.
 */
export const relationOf = (a: Side, b: Side): Relation | null =>
  a.isIneligible || b.isIneligible ? null : relationOfEligible(a, b);

/** Returns what `relationOf` does when both positions can be used. */
export function relationOfEligible(a: SideAnywhere, b: SideAnywhere): Relation | null {
  if (!a.isNameless && !b.isNameless && !areBlocked(a.person, b.person)) return 'named';
  const isDogMissing = a.person.dogs.length === 0 || b.person.dogs.length === 0;
  if (isDogMissing) return null;
  return [...a.person.dogs, ...b.person.dogs].some(needsSpace) ? 'anonymous' : null;
}

const areBlocked = (a: Side['person'], b: Side['person']): boolean =>
  (a.blocked.size > 0 && a.blocked.has(b.user_id)) ||
  (b.blocked.size > 0 && b.blocked.has(a.user_id));

/** Whether two users may meet and see who it is. */
export const mayMeet = (a: Side, b: Side): boolean => relationOf(a, b) === 'named';

/** What both of two users are shown of each other. */
export interface Sight {
  relation: Relation;
  feet: number;
  /** Whether it is an encounter, of which the engine notifies both. */
  isEncounter: boolean;
}

/** The radius within which two users see each other by name: the wider of theirs, in feet. */
export const sharedRadiusFeet = (a: ActiveUser, b: ActiveUser): number =>
  Math.max(RADIUS_FEET, a.radiusFeet, b.radiusFeet);

/**
 * Returns what both of two users are shown of each other now; null: nothing.
 * @param slackMeters how much farther coarse locations may be apart: for a pair that is shown already
 */
export function sightOf(a: ActiveUser, b: ActiveUser, slackMeters = 0): Sight | null {
  const relation = relationOf(a, b);
  if (relation === null) return null;
  if (relation === 'anonymous') {
    const meters = anonymousMeters(a, b);
    if (meters > ANONYMOUS_METERS + slackMeters) return null;
    return { relation, feet: bandFeet(meters, WIDEST_FEET), isEncounter: false };
  }
  const exact = encounterMeters(a, b);
  if (exact !== null) return { relation, feet: shownFeet(exact), isEncounter: true };
  const radius = sharedRadiusFeet(a, b);
  if (radius <= RADIUS_FEET) return null;
  const meters = metersBetween(a.coarse, b.coarse);
  if (meters > radius * METERS_PER_FOOT + slackMeters) return null;
  return { relation, feet: bandFeet(meters, radius), isEncounter: false };
}

/** Returns how far apart two users are who meet; null if they don't. */
export function encounterMeters(a: ActiveUser, b: ActiveUser): number | null {
  if (!mayMeet(a, b)) return null;
  const meters = metersBetween(a, b);
  return meters <= RADIUS_METERS ? meters : null;
}

/** Returns the distance that decides whether two users are warned of each other without names. */
export const anonymousMeters = (a: ActiveUser, b: ActiveUser): number =>
  metersBetween(a.coarse.anonymous(), b.coarse.anonymous());
