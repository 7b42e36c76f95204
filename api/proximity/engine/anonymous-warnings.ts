import { metersBetween } from '#shared/place.ts';
import type { LocationAnswer, NearbyUser } from '#shared/proximity/contract.ts';
import { bandFeet, RADIUS_METERS, STALE_SECONDS, WIDEST_FEET } from '#shared/proximity/rules.ts';
import {
  type ActiveUser,
  areEligible,
  needsSpace,
  type Person,
  SEPARATED_METERS,
} from './active-user.ts';
import { COARSE_ERROR_METERS } from './coarse-location.ts';
import type { EncounterEngine } from './encounter-engine.ts';

/** Anyone within the encounter radius is within this distance by their coarse location. */
const WITHIN_METERS = RADIUS_METERS + COARSE_ERROR_METERS;
/** More anonymous warnings than this do not help on a walk. */
const ANONYMOUS_MAX = 5;

/** `hidden`: the two were close to each other at the time of the block. A warning would reveal that time. */
type State = 'shown' | 'hidden';

export interface AnonymousWarningsDependencies {
  /** Returns milliseconds of a monotonic clock. */
  now(): number;
  /** Returns the id by which a viewer sees a user on this walk; it reveals nothing about who it is. */
  idOf(viewer: ActiveUser, other: ActiveUser): string;
  /** Notifies a viewer of someone who came near. It is no encounter: nothing is recorded. */
  onEntry(viewerId: string, other: NearbyUser): void;
}

/**
 * Warns two users of whom one blocked the other of each other's dogs, without showing who it is (decision 300). All of it depends on the
 * viewer's own position and the other user's coarse location, even within the encounter radius, because neither learns who saw them.
 */
export class AnonymousWarnings {
  readonly #engine: EncounterEngine;
  readonly #dependencies: AnonymousWarningsDependencies;
  /** By viewer and other user, while the other one is near. */
  readonly #states = new Map<string, Map<string, State>>();

  constructor(engine: EncounterEngine, dependencies: AnonymousWarningsDependencies) {
    this.#engine = engine;
    this.#dependencies = dependencies;
  }

  /** Adds those near a user who reported to the answer, and notifies the others. */
  apply({ user_id }: Person, answer: LocationAnswer): LocationAnswer {
    const user = this.#engine.user(user_id);
    if (!user || answer.is_too_rough || answer.is_unconfirmed) return answer;
    this.observe(user);
    const near = this.#blockedWith(user).filter(
      (other) => this.#states.get(user_id)?.get(other.person.user_id) === 'shown',
    );
    if (near.length === 0) return answer;
    const shown = near
      .map((other) => this.#asAnonymous(user, other))
      .toSorted((a, b) => Number(b.dogs.some(needsSpace)) - Number(a.dogs.some(needsSpace)))
      .slice(0, ANONYMOUS_MAX);
    return { ...answer, nearbyUsers: [...answer.nearbyUsers, ...shown] };
  }

  /** Notifies the users of this node to whom the reporting user came near. */
  observe(user: ActiveUser): void {
    for (const viewer of this.#blockedWith(user)) {
      this.#update(user, viewer);
      if (this.#update(viewer, user) && !viewer.isForeign)
        this.#dependencies.onEntry(viewer.person.user_id, this.#asAnonymous(viewer, user));
    }
  }

  /** Hides a user and those near them from each other until they have been apart, if a block between them is new. */
  hideNew(user: ActiveUser, blockedBefore: ReadonlySet<string>): void {
    for (const other of this.#blockedWith(user))
      if (!blockedBefore.has(other.person.user_id)) {
        this.#hide(user, other);
        this.#hide(other, user);
      }
  }

  #hide(viewer: ActiveUser, other: ActiveUser): void {
    const meters = metersBetween(viewer, other.coarse);
    if (meters <= WITHIN_METERS + SEPARATED_METERS) this.#set(viewer, other, 'hidden');
  }

  /** Removes a user who no longer shares a position. */
  remove(userId: string): void {
    this.#states.delete(userId);
    for (const states of this.#states.values()) states.delete(userId);
  }

  /** Returns the users who share a position and have a block with this user, in either direction. */
  #blockedWith(user: ActiveUser): ActiveUser[] {
    const found: ActiveUser[] = [];
    const fresh = this.#dependencies.now() - STALE_SECONDS * 1000;
    for (const userId of user.person.blocked) {
      const other = this.#engine.user(userId);
      if (other && other.reportedAt > fresh && areEligible(user, other)) found.push(other);
    }
    return found;
  }

  /** Updates whether a user is near a viewer. @returns whether the viewer must be notified */
  #update(viewer: ActiveUser, user: ActiveUser): boolean {
    const state = this.#states.get(viewer.person.user_id)?.get(user.person.user_id);
    const meters = metersBetween(viewer, user.coarse);
    if (meters > WITHIN_METERS + (state ? SEPARATED_METERS : 0)) {
      this.#states.get(viewer.person.user_id)?.delete(user.person.user_id);
      return false;
    }
    if (state || user.person.dogs.length === 0) return false;
    this.#set(viewer, user, 'shown');
    return true;
  }

  #set(viewer: ActiveUser, user: ActiveUser, state: State): void {
    const states = this.#states.get(viewer.person.user_id) ?? new Map<string, State>();
    this.#states.set(viewer.person.user_id, states.set(user.person.user_id, state));
  }

  /** One dog stands for all of a user's: their number and names would identify them. */
  #asAnonymous(viewer: ActiveUser, user: ActiveUser): NearbyUser {
    const { dogs } = user.person;
    const isInHeat = dogs.some(({ notes }) => notes?.includes('in_heat'));
    return {
      user_id: this.#dependencies.idOf(viewer, user),
      display_name: '',
      distance_feet: bandFeet(metersBetween(viewer, user.coarse), WIDEST_FEET),
      dogs: [
        {
          name: '',
          sound_type: dogs.some(needsSpace) ? 'leash_on' : 'leash_off',
          image_key: null,
          ...(isInHeat && { notes: ['in_heat'] }),
        },
      ],
      is_anonymous: true,
    };
  }
}
