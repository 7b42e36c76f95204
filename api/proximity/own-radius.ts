import { METRES_PER_FOOT, metresBetween, type Place } from '#shared/place.ts';
import type { LocationAnswer, NearbyUser, PositionReport } from '#shared/proximity/contract.ts';
import {
  bandFeet,
  cadenceStep,
  circleFeet,
  NEARBY_MAX,
  POLL_SECONDS,
  RADIUS_FEET,
  RADIUS_METRES,
  WIDEST_FEET,
} from '#shared/proximity/rules.ts';
import { COARSE_ERROR_METERS } from './coarse-location.ts';
import type { Encounters } from './encounters.ts';
import { CELL_METRES, Grid, type Placed } from './grid.ts';
import { asNearby, fitting, mayMeet, type Live, type Person } from './live.ts';

/** Somebody who wants to be told of people farther away than the circle in which people meet. */
interface Watcher extends Placed {
  userId: string;
  metres: number;
  /** Who is within, and was told of. */
  told: Set<string>;
}

/** What is needed of the world beside the engine. */
export interface Watching {
  /** Whether a watcher may be shown this person beyond 100 ft: a budget of strangers limits it (decision 232). */
  mayShow(watcherId: string, otherId: string): boolean;
  /** Tells a watcher of somebody who came within their radius. It is no meeting: nothing is recorded. */
  noticed(watcherId: string, other: Person, distanceFeet: number): void;
}

/** Two people approach no faster than this, in metres per second; joggers do. */
const CLOSING = 6;
/** So far away there is time: nobody is asked for positions faster than this. */
const FASTEST_SECONDS = 5;
/** How often those report who have somebody within their radius. */
const WITHIN_SECONDS = 10;
/** …and those who have somebody nearby, but not yet within a radius smaller than usual. */
const BEFORE_SMALL_SECONDS = 2;
const LOOK_AHEAD_METRES = CLOSING * POLL_SECONDS;
const PARTED_METRES = 10;
const WIDEST_METRES = WIDEST_FEET * METRES_PER_FOOT;

/**
 * People's own alert radius. Who meets whom is decided within the one circle that all share; whoever wants to hear of
 * people farther away gets them in the answers to reports, and an event when somebody else's report shows it. Beyond the circle
 * everything depends on coarse locations only, and distances are bands (decision 230).
 */
export class OwnRadius {
  readonly #encounters: Encounters;
  readonly #watching: Watching;
  readonly #watchers = new Map<string, Watcher>();
  readonly #grid = new Grid<Watcher>();
  /** Handles of watchers who are gone. */
  readonly #free: number[] = [];

  constructor(encounters: Encounters, watching: Watching) {
    this.#encounters = encounters;
    this.#watching = watching;
  }

  /** The engine's answer to a report, made to fit the radius of whoever reported; tells watchers around. */
  fit(person: Person, report: PositionReport, answer: LocationAnswer): LocationAnswer {
    const live = this.#encounters.live(person.user_id);
    if (!live || live.isAside) this.drop(person.user_id);
    if (!live || live.isAside || answer.is_too_rough || answer.is_unconfirmed) return answer;
    const radius = report.radius_feet ?? RADIUS_FEET;
    const feet = circleFeet(radius);
    const watcher = this.#follow(person.user_id, live, feet * METRES_PER_FOOT);
    const ahead = watcher ? this.#lookAround(watcher, live, feet, answer.nearbyUsers) : null;
    const seconds = Math.min(
      answer.next_update_seconds,
      this.#tellWatchers(live),
      ahead?.seconds ?? POLL_SECONDS,
      answer.nearbyUsers.some((user) => user.distance_feet > radius)
        ? BEFORE_SMALL_SECONDS
        : POLL_SECONDS,
    );
    return {
      nearbyUsers: ahead?.nearby ?? answer.nearbyUsers,
      next_update_seconds: cadenceStep(seconds),
    };
  }

  /** Somebody shares no position any more. */
  drop(userId: string): void {
    const watcher = this.#watchers.get(userId);
    if (!watcher) return;
    this.#grid.remove(watcher);
    this.#watchers.delete(userId);
    this.#free.push(watcher.handle);
  }

  #follow(userId: string, place: Place, metres: number): Watcher | null {
    if (metres <= RADIUS_METRES) {
      this.drop(userId);
      return null;
    }
    const known = this.#watchers.get(userId);
    if (known) {
      known.metres = metres;
      this.#grid.move(known, place);
      return known;
    }
    const watcher: Watcher = {
      latitude: place.latitude,
      longitude: place.longitude,
      handle: this.#free.pop() ?? this.#watchers.size + 1,
      userId,
      metres,
      told: new Set(),
    };
    this.#watchers.set(userId, watcher);
    this.#grid.add(watcher);
    return watcher;
  }

  /**
   * Whom a watcher who reported has within the radius, and how soon somebody might be.
   * @param notified those within the circle, with whom both have been notified
   */
  #lookAround(
    watcher: Watcher,
    self: Live,
    feet: number,
    notified: readonly NearbyUser[],
  ): { nearby: NearbyUser[]; seconds: number } {
    const reach = watcher.metres + LOOK_AHEAD_METRES + 3 * COARSE_ERROR_METERS;
    const known = new Set(notified.map(({ user_id }) => user_id));
    const others = [...this.#encounters.around(watcher, reach)]
      .filter((live) => live !== self && !known.has(live.person.user_id) && mayMeet(self, live))
      .map((live) => ({ live, metres: metresBetween(watcher, live.coarse) }));
    const within = others.filter(
      ({ live, metres }) =>
        metres <= watcher.metres && this.#watching.mayShow(watcher.userId, live.person.user_id),
    );
    watcher.told = new Set([...known, ...within.map(({ live }) => live.person.user_id)]);
    let seconds = known.size > 0 ? WITHIN_SECONDS : POLL_SECONDS;
    for (const { live } of others) {
      const needed = neededWithin(watcher, self, live);
      seconds = Math.min(seconds, needed);
      if (needed < POLL_SECONDS) this.#encounters.hasten(live, cadenceStep(needed));
    }
    const bands = fitting(
      within
        .map(({ live, metres }) => ({ live, feet: bandFeet(metres, feet) }))
        .toSorted((a, b) => a.feet - b.feet || byId(a.live, b.live)),
      NEARBY_MAX - notified.length,
    );
    return {
      nearby: [...notified, ...bands.map((one) => asNearby(one.live.person, one.feet))],
      seconds,
    };
  }

  /** Tells the watchers around somebody who reported. @returns how soon the next report is needed for them */
  #tellWatchers(live: Live): number {
    let seconds: number = POLL_SECONDS;
    if (this.#watchers.size === 0) return seconds;
    const reach = WIDEST_METRES + LOOK_AHEAD_METRES + 3 * COARSE_ERROR_METERS;
    const near: Watcher[] = [];
    for (let ring = 0; ring <= Math.ceil(reach / CELL_METRES); ring += 1)
      this.#grid.visitRing(live, ring, (watcher) => near.push(watcher));
    for (const watcher of near) {
      const own = this.#encounters.live(watcher.userId);
      if (!own) this.drop(watcher.userId);
      else if (own !== live && mayMeet(own, live))
        seconds = Math.min(seconds, this.#tell(watcher, own, live));
    }
    return seconds;
  }

  #tell(watcher: Watcher, own: Live, live: Live): number {
    const { user_id } = live.person;
    // Both were notified.
    if (own.inside?.has(live)) watcher.told.add(user_id);
    const metres = metresBetween(watcher, live.coarse);
    if (metres > watcher.metres + PARTED_METRES) watcher.told.delete(user_id);
    const isNew = metres <= watcher.metres && !watcher.told.has(user_id);
    if (isNew && this.#watching.mayShow(watcher.userId, user_id)) {
      watcher.told.add(user_id);
      this.#watching.noticed(watcher.userId, live.person, bandFeet(metres, feetOf(watcher)));
    }
    return neededWithin(watcher, own, live);
  }
}

const feetOf = ({ metres }: Watcher): number => Math.round(metres / METRES_PER_FOOT);

const byId = (a: Live, b: Live): number => (a.person.user_id < b.person.user_id ? -1 : 1);

/** Seconds until somebody might be within a watcher's radius, as far as coarse locations tell. */
function neededWithin(watcher: Watcher, own: Live, other: Live): number {
  const beyond = metresBetween(own.coarse, other.coarse) - COARSE_ERROR_METERS - watcher.metres;
  return beyond <= 0 ? WITHIN_SECONDS : Math.max(FASTEST_SECONDS, beyond / CLOSING);
}
