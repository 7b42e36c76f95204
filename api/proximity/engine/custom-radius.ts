import { METERS_PER_FOOT, metersBetween, type Place } from '#shared/place.ts';
import type { LocationAnswer, NearbyUser, PositionReport } from '#shared/proximity/contract.ts';
import {
  bandFeet,
  cadenceStep,
  displayRadiusFeet,
  NEARBY_MAX,
  POLL_SECONDS,
  RADIUS_FEET,
  RADIUS_METERS,
  WIDEST_FEET,
} from '#shared/proximity/rules.ts';
import { type ActiveUser, asNearby, mayMeet, type Person, selectNearby } from './active-user.ts';
import { COARSE_ERROR_METERS } from './coarse-location.ts';
import type { EncounterEngine } from './encounter-engine.ts';
import { CELL_METERS, Grid } from './grid.ts';

/** A user whose alert radius is wider than the encounter radius. */
interface Watcher extends Place {
  userId: string;
  meters: number;
  /** Users within the radius, of whom the watcher was notified. */
  notifiedIds: Set<string>;
}

export interface CustomRadiusDependencies {
  /** Whether a watcher may be shown this user beyond 100 ft: a budget of strangers limits it (decision 93). */
  mayShow(watcherId: string, otherId: string): boolean;
  /** Notifies a watcher of a user who came within their radius. It is no encounter: nothing is recorded. */
  onEntry(watcherId: string, other: Person, distanceFeet: number): void;
}

/** The speed at which two people approach each other at most, in meters per second: two joggers. */
const CLOSING_SPEED = 6;
/** No one is asked to report faster than this because of users beyond the shared radius. */
const FASTEST_SECONDS = 5;
/** How often users report while another user is within their radius. */
const WITHIN_SECONDS = 10;
/** How often users report while another user is nearby, but not yet within an alert radius that is smaller than usual. */
const BEFORE_SMALL_SECONDS = 2;
const LOOK_AHEAD_METERS = CLOSING_SPEED * POLL_SECONDS;
/** How far beyond the radius a user must go before their next entry counts. */
const SEPARATED_METERS = 10;
const WIDEST_METERS = WIDEST_FEET * METERS_PER_FOOT;

/**
 * Applies each user's own alert radius. Encounters are decided within the one radius that all share. Those who chose a wider one
 * get users farther away in the answers to reports, and an event when the report of such a user arrives. Beyond the shared radius
 * everything depends on coarse locations only, and distances are bands (decision 230).
 */
export class CustomRadius {
  readonly #engine: EncounterEngine;
  readonly #dependencies: CustomRadiusDependencies;
  readonly #watchers = new Map<string, Watcher>();
  readonly #grid = new Grid<Watcher>();

  constructor(engine: EncounterEngine, dependencies: CustomRadiusDependencies) {
    this.#engine = engine;
    this.#dependencies = dependencies;
  }

  /** Adapts the engine's answer to the radius of the user who reported, and notifies watchers around them. */
  apply(person: Person, report: PositionReport, answer: LocationAnswer): LocationAnswer {
    const user = this.#engine.user(person.user_id);
    if (!user || user.isIneligible) this.remove(person.user_id);
    if (!user || user.isIneligible || answer.is_too_rough || answer.is_unconfirmed) return answer;
    const radius = report.radius_feet ?? RADIUS_FEET;
    const feet = displayRadiusFeet(radius);
    const watcher = this.#watch(person.user_id, user, feet * METERS_PER_FOOT);
    const ahead = watcher ? this.#lookAround(watcher, user, feet, answer.nearbyUsers) : null;
    const seconds = Math.min(
      answer.next_update_seconds,
      this.#notifyWatchers(user),
      ahead?.seconds ?? POLL_SECONDS,
      answer.nearbyUsers.some((near) => near.distance_feet > radius)
        ? BEFORE_SMALL_SECONDS
        : POLL_SECONDS,
    );
    return {
      nearbyUsers: ahead?.nearby ?? answer.nearbyUsers,
      next_update_seconds: cadenceStep(seconds),
    };
  }

  /** Notifies the watchers of this node around a user whose report another node received. */
  observe(user: ActiveUser): void {
    this.remove(user.person.user_id);
    if (user.isIneligible) return;
    const seconds = this.#notifyWatchers(user);
    if (seconds < POLL_SECONDS) this.#engine.requestReport(user, cadenceStep(seconds));
  }

  /** Removes a user who no longer shares a position, or no longer reports to this node. */
  remove(userId: string): void {
    const watcher = this.#watchers.get(userId);
    if (!watcher) return;
    this.#grid.remove(watcher);
    this.#watchers.delete(userId);
  }

  #watch(userId: string, place: Place, meters: number): Watcher | null {
    if (meters <= RADIUS_METERS) {
      this.remove(userId);
      return null;
    }
    const known = this.#watchers.get(userId);
    if (known) {
      known.meters = meters;
      this.#grid.move(known, place);
      return known;
    }
    const { latitude, longitude } = place;
    const watcher: Watcher = { latitude, longitude, userId, meters, notifiedIds: new Set() };
    this.#watchers.set(userId, watcher);
    this.#grid.add(watcher);
    return watcher;
  }

  /**
   * Finds the users within the radius of a watcher who reported, and the seconds until another one might be.
   * @param notified the users within the shared radius, with whom both have been notified
   */
  #lookAround(
    watcher: Watcher,
    self: ActiveUser,
    feet: number,
    notified: readonly NearbyUser[],
  ): { nearby: NearbyUser[]; seconds: number } {
    const reach = watcher.meters + LOOK_AHEAD_METERS + 3 * COARSE_ERROR_METERS;
    const known = new Set(notified.map(({ user_id }) => user_id));
    const others = this.#engine
      .around(watcher, reach)
      .filter((user) => user !== self && !known.has(user.person.user_id) && mayMeet(self, user))
      .map((user) => ({ user, meters: metersBetween(watcher, user.coarse) }));
    const within = others.filter(
      ({ user, meters }) =>
        meters <= watcher.meters && this.#dependencies.mayShow(watcher.userId, user.person.user_id),
    );
    watcher.notifiedIds = new Set([...known, ...within.map(({ user }) => user.person.user_id)]);
    let seconds = known.size > 0 ? WITHIN_SECONDS : POLL_SECONDS;
    for (const { user } of others) {
      const needed = secondsUntilWithin(watcher, self, user);
      seconds = Math.min(seconds, needed);
      if (needed < POLL_SECONDS) this.#engine.requestReport(user, cadenceStep(needed));
    }
    const bands = selectNearby(
      within
        .map(({ user, meters }) => ({ user, feet: bandFeet(meters, feet) }))
        .toSorted((a, b) => a.feet - b.feet || byId(a.user, b.user)),
      NEARBY_MAX - notified.length,
    );
    return {
      nearby: [...notified, ...bands.map((one) => asNearby(one.user.person, one.feet))],
      seconds,
    };
  }

  /** Notifies the watchers around a user who reported. @returns in how many seconds the next report is needed for them */
  #notifyWatchers(user: ActiveUser): number {
    let seconds: number = POLL_SECONDS;
    if (this.#watchers.size === 0) return seconds;
    const reach = WIDEST_METERS + LOOK_AHEAD_METERS + 3 * COARSE_ERROR_METERS;
    const near: Watcher[] = [];
    for (let ring = 0; ring <= Math.ceil(reach / CELL_METERS); ring += 1)
      this.#grid.visitRing(user, ring, (watcher) => near.push(watcher));
    for (const watcher of near) {
      const self = this.#engine.user(watcher.userId);
      if (!self) this.remove(watcher.userId);
      else if (self !== user && mayMeet(self, user))
        seconds = Math.min(seconds, this.#notifyWatcher(watcher, self, user));
    }
    return seconds;
  }

  #notifyWatcher(watcher: Watcher, self: ActiveUser, user: ActiveUser): number {
    const { user_id } = user.person;
    // Both were notified.
    if (self.companions?.has(user)) watcher.notifiedIds.add(user_id);
    const meters = metersBetween(watcher, user.coarse);
    if (meters > watcher.meters + SEPARATED_METERS) watcher.notifiedIds.delete(user_id);
    const isNew = meters <= watcher.meters && !watcher.notifiedIds.has(user_id);
    if (isNew && this.#dependencies.mayShow(watcher.userId, user_id)) {
      watcher.notifiedIds.add(user_id);
      const feet = Math.round(watcher.meters / METERS_PER_FOOT);
      this.#dependencies.onEntry(watcher.userId, user.person, bandFeet(meters, feet));
    }
    return secondsUntilWithin(watcher, self, user);
  }
}

const byId = (a: ActiveUser, b: ActiveUser): number =>
  a.person.user_id < b.person.user_id ? -1 : 1;

/** Returns the seconds until a user might be within a watcher's radius, by coarse locations. */
function secondsUntilWithin(watcher: Watcher, self: ActiveUser, other: ActiveUser): number {
  const beyond = metersBetween(self.coarse, other.coarse) - COARSE_ERROR_METERS - watcher.meters;
  return beyond <= 0 ? WITHIN_SECONDS : Math.max(FASTEST_SECONDS, beyond / CLOSING_SPEED);
}
