import { METRES_PER_FOOT, metresBetween, type Place } from '#shared/place.ts';
import type { LocationAnswer, NearbyUser, PositionReport } from '#shared/proximity/contract.ts';
import {
  cadenceStep,
  circleFeet,
  POLL_SECONDS,
  RADIUS_FEET,
  RADIUS_METRES,
  shownFeet,
  WIDEST_FEET,
} from '#shared/proximity/rules.ts';
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
 * people farther away gets them in the answers to reports, and an event when somebody else's report shows it.
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
    if (!live || live.isAside || answer.is_too_rough) return answer;
    const radius = report.radius_feet ?? RADIUS_FEET;
    const feet = circleFeet(radius);
    const watcher = this.#follow(person.user_id, live, feet * METRES_PER_FOOT);
    const ahead = watcher ? this.#lookAround(watcher, feet) : null;
    const seconds = Math.min(
      answer.next_update_seconds,
      this.#tellWatchers(person, live),
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

  /** Whom a watcher who reported has within the radius, and how soon somebody might be. */
  #lookAround(watcher: Watcher, feet: number): { nearby: NearbyUser[]; seconds: number } {
    const all = [...this.#encounters.around(watcher, watcher.metres + LOOK_AHEAD_METRES)];
    const self = all.find((live) => live.person.user_id === watcher.userId);
    const others = all
      .filter((live) => live !== self && self && mayMeet(self, live))
      .map((live) => ({ live, metres: metresBetween(watcher, live) }))
      .toSorted((a, b) => a.metres - b.metres);
    const within = others.filter(({ metres }) => metres <= watcher.metres);
    watcher.told = new Set(within.map(({ live }) => live.person.user_id));
    let seconds = within.length > 0 ? WITHIN_SECONDS : POLL_SECONDS;
    for (const { live, metres } of others) {
      const needed = neededWithin(watcher, metres);
      seconds = Math.min(seconds, needed);
      if (needed < POLL_SECONDS) this.#encounters.hasten(live, cadenceStep(needed));
    }
    const nearby = fitting(within).map(({ live, metres }) => seen(live, metres, feet));
    return { nearby, seconds };
  }

  /** Tells the watchers around somebody who reported. @returns how soon the next report is needed for them */
  #tellWatchers(person: Person, place: Place): number {
    let seconds: number = POLL_SECONDS;
    if (this.#watchers.size === 0) return seconds;
    const rings = Math.ceil((WIDEST_METRES + LOOK_AHEAD_METRES) / CELL_METRES);
    const near: Watcher[] = [];
    for (let ring = 0; ring <= rings; ring += 1)
      this.#grid.visitRing(place, ring, (watcher) => near.push(watcher));
    for (const watcher of near) {
      const own = this.#encounters.live(watcher.userId)?.person;
      if (!own) this.drop(watcher.userId);
      else if (own.user_id !== person.user_id && !own.blocked.has(person.user_id))
        seconds = Math.min(seconds, this.#tell(watcher, person, metresBetween(watcher, place)));
    }
    return seconds;
  }

  #tell(watcher: Watcher, person: Person, metres: number): number {
    if (metres > watcher.metres + PARTED_METRES) watcher.told.delete(person.user_id);
    if (metres > watcher.metres) return neededWithin(watcher, metres);
    if (!watcher.told.has(person.user_id)) {
      watcher.told.add(person.user_id);
      this.#watching.noticed(watcher.userId, person, shownFeet(metres));
    }
    return WITHIN_SECONDS;
  }
}

/** Seconds until somebody at this distance might be within the radius. */
const neededWithin = (watcher: Watcher, metres: number): number =>
  metres <= watcher.metres
    ? WITHIN_SECONDS
    : Math.max(FASTEST_SECONDS, (metres - watcher.metres) / CLOSING);

const seen = ({ person }: Live, metres: number, feet: number): NearbyUser =>
  asNearby(person, Math.min(feet, shownFeet(metres)));
