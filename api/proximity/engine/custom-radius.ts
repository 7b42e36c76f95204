import { METERS_PER_FOOT, metersBetween, type Place } from '#shared/place.ts';
import type { LocationAnswer, PositionReport } from '#shared/proximity/contract.ts';
import {
  bandFeet,
  cadenceStep,
  displayRadiusFeet,
  NEARBY_MAX,
  POLL_SECONDS,
  RADIUS_FEET,
  WIDEST_FEET,
} from '#shared/proximity/rules.ts';
import {
  type ActiveUser,
  asNearby,
  mayMeet,
  type Person,
  selectNearby,
  SEPARATED_METERS,
} from './active-user.ts';
import { COARSE_ERROR_METERS } from './coarse-location.ts';
import type { EncounterEngine } from './encounter-engine.ts';
import { CELL_METERS, Grid } from './grid.ts';

/** A user whose alert radius is wider than the encounter radius. */
interface Watcher extends Place {
  userId: string;
  meters: number;
  /** Users within the radius, of whom the watcher was notified. */
  notifiedIds: Set<string>;
  /** Users who were notified of the watcher because of this radius. */
  shownToIds: Set<string>;
  /** Whether another node answers the watcher. */
  isForeign: boolean;
}

/** A user beyond the encounter radius, and the band in which they are shown. */
interface Band {
  user: ActiveUser;
  feet: number;
}

export interface CustomRadiusDependencies {
  /**
   * Whether a user may be shown another one beyond 100 ft: a budget of strangers limits it (decision 93).
   * @param isOwnChoice whether the user chose the radius that asks for it
   */
  mayShow(userId: string, otherId: string, isOwnChoice: boolean): boolean;
  /** Notifies a user of another one who came within the wider one of their radii. It is no encounter: nothing is recorded. */
  onEntry(userId: string, other: Person, distanceFeet: number): void;
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
const WIDEST_METERS = WIDEST_FEET * METERS_PER_FOOT;

/**
 * Applies each user's own alert radius. Encounters are decided within the one radius that all share. Within the wider one of the
 * radii of two users, both get each other in the answers to reports, and an event when it begins (decision 297). Beyond the shared
 * radius everything depends on coarse locations only, and distances are bands (decision 230).
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
    const watcher = this.#watch(person.user_id, user, feet, false);
    const around = this.#watchersAround(user);
    const notified = new Set(answer.nearbyUsers.map(({ user_id }) => user_id));
    const ahead = watcher ? this.#lookAround(watcher, user, notified) : NOTHING_AHEAD;
    const bands = [...ahead.bands, ...this.#watchersInReach(user, around, notified, watcher)];
    const seconds = Math.min(
      answer.next_update_seconds,
      this.#notifyWatchers(user, around),
      ahead.seconds,
      bands.length > 0 ? WITHIN_SECONDS : POLL_SECONDS,
      answer.nearbyUsers.some((near) => near.distance_feet > radius)
        ? BEFORE_SMALL_SECONDS
        : POLL_SECONDS,
    );
    const shown = selectNearby(
      bands.toSorted((one, other) => one.feet - other.feet || byId(one.user, other.user)),
      NEARBY_MAX - answer.nearbyUsers.length,
    );
    return {
      nearbyUsers: [
        ...answer.nearbyUsers,
        ...shown.map((one) => asNearby(one.user.person, one.feet)),
      ],
      next_update_seconds: cadenceStep(seconds),
    };
  }

  /** Notifies the watchers of this node around a user whose report another node received. */
  observe(user: ActiveUser, radiusFeet: number = RADIUS_FEET): void {
    if (user.isIneligible) return this.remove(user.person.user_id);
    this.#watch(user.person.user_id, user, displayRadiusFeet(radiusFeet), true);
    const seconds = this.#notifyWatchers(user, this.#watchersAround(user));
    if (seconds < POLL_SECONDS) this.#engine.requestReport(user, cadenceStep(seconds));
  }

  /** Removes a user who no longer shares a position, or no longer reports to this node. */
  remove(userId: string): void {
    const watcher = this.#watchers.get(userId);
    if (!watcher) return;
    this.#grid.remove(watcher);
    this.#watchers.delete(userId);
  }

  #watch(userId: string, place: Place, feet: number, isForeign: boolean): Watcher | null {
    if (feet <= RADIUS_FEET) {
      this.remove(userId);
      return null;
    }
    const meters = feet * METERS_PER_FOOT;
    const known = this.#watchers.get(userId);
    if (known) {
      known.meters = meters;
      known.isForeign = isForeign;
      this.#grid.move(known, place);
      return known;
    }
    const watcher: Watcher = {
      latitude: place.latitude,
      longitude: place.longitude,
      userId,
      meters,
      notifiedIds: new Set(),
      shownToIds: new Set(),
      isForeign,
    };
    this.#watchers.set(userId, watcher);
    this.#grid.add(watcher);
    return watcher;
  }

  /**
   * Finds the users within the radius of a watcher who reported, and the seconds until another one might be. Notifies the others of
   * the watcher, too.
   * @param notified the users within the shared radius, with whom both have been notified
   */
  #lookAround(
    watcher: Watcher,
    self: ActiveUser,
    notified: ReadonlySet<string>,
  ): { bands: Band[]; seconds: number } {
    const reach = watcher.meters + LOOK_AHEAD_METERS + 3 * COARSE_ERROR_METERS;
    const others = this.#engine
      .around(watcher, reach)
      .filter((user) => user !== self && !notified.has(user.person.user_id) && mayMeet(self, user));
    const bands: Band[] = [];
    let seconds = notified.size > 0 ? WITHIN_SECONDS : POLL_SECONDS;
    for (const user of others) {
      const meters = metersBetween(watcher, user.coarse);
      const isWithin = meters <= watcher.meters;
      if (isWithin && this.#dependencies.mayShow(watcher.userId, user.person.user_id, true))
        bands.push({ user, feet: bandFeet(meters, feetOf(watcher)) });
      this.#notifyOther(watcher, self, user);
      const needed = secondsUntilWithin(watcher, self, user);
      seconds = Math.min(seconds, needed);
      if (needed < POLL_SECONDS) this.#engine.requestReport(user, cadenceStep(needed));
    }
    watcher.notifiedIds = new Set([...notified, ...bands.map(({ user }) => user.person.user_id)]);
    return { bands, seconds };
  }

  /** Notifies a user within the radius of a watcher of that watcher, once. Depends on the coarse location of the watcher only. */
  #notifyOther(watcher: Watcher, self: ActiveUser, user: ActiveUser): void {
    const { user_id: userId } = user.person;
    const meters = metersBetween(user, self.coarse);
    if (meters > watcher.meters + SEPARATED_METERS) watcher.shownToIds.delete(userId);
    if (meters > watcher.meters || watcher.shownToIds.has(userId)) return;
    // Their own radius notifies them.
    if (meters <= (this.#watchers.get(userId)?.meters ?? 0)) return;
    if (!this.#dependencies.mayShow(userId, watcher.userId, false)) return;
    watcher.shownToIds.add(userId);
    this.#dependencies.onEntry(userId, self.person, bandFeet(meters, feetOf(watcher)));
  }

  /** Finds the watchers within whose radius a user is who reported, but who are beyond the user's own. */
  #watchersInReach(
    user: ActiveUser,
    around: readonly Watcher[],
    notified: ReadonlySet<string>,
    own: Watcher | null,
  ): Band[] {
    const bands: Band[] = [];
    for (const watcher of around) {
      const self = this.#engine.user(watcher.userId);
      if (!self || self === user || notified.has(watcher.userId) || !mayMeet(self, user)) continue;
      const meters = metersBetween(user, self.coarse);
      if (meters > watcher.meters || meters <= (own?.meters ?? 0)) continue;
      if (!this.#dependencies.mayShow(user.person.user_id, watcher.userId, false)) continue;
      watcher.shownToIds.add(user.person.user_id);
      bands.push({ user: self, feet: bandFeet(meters, feetOf(watcher)) });
    }
    return bands;
  }

  #watchersAround(user: ActiveUser): Watcher[] {
    if (this.#watchers.size === 0) return [];
    const reach = WIDEST_METERS + LOOK_AHEAD_METERS + 3 * COARSE_ERROR_METERS;
    const around: Watcher[] = [];
    for (let ring = 0; ring <= Math.ceil(reach / CELL_METERS); ring += 1)
      this.#grid.visitRing(user, ring, (watcher) => around.push(watcher));
    return around;
  }

  /** Notifies the watchers around a user who reported. @returns in how many seconds the next report is needed for them */
  #notifyWatchers(user: ActiveUser, around: readonly Watcher[]): number {
    let seconds: number = POLL_SECONDS;
    for (const watcher of around) {
      const self = this.#engine.user(watcher.userId);
      if (!self) this.remove(watcher.userId);
      else if (!watcher.isForeign && self !== user && mayMeet(self, user))
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
    if (isNew && this.#dependencies.mayShow(watcher.userId, user_id, true)) {
      watcher.notifiedIds.add(user_id);
      this.#dependencies.onEntry(watcher.userId, user.person, bandFeet(meters, feetOf(watcher)));
    }
    return secondsUntilWithin(watcher, self, user);
  }
}

const NOTHING_AHEAD = { bands: [] as Band[], seconds: POLL_SECONDS };

const feetOf = ({ meters }: Watcher): number => Math.round(meters / METERS_PER_FOOT);

const byId = (a: ActiveUser, b: ActiveUser): number =>
  a.person.user_id < b.person.user_id ? -1 : 1;

/** Returns the seconds until a user might be within a watcher's radius, by coarse locations. */
function secondsUntilWithin(watcher: Watcher, self: ActiveUser, other: ActiveUser): number {
  const beyond = metersBetween(self.coarse, other.coarse) - COARSE_ERROR_METERS - watcher.meters;
  return beyond <= 0 ? WITHIN_SECONDS : Math.max(FASTEST_SECONDS, beyond / CLOSING_SPEED);
}
