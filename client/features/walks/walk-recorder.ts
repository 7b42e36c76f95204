import type { NearbyUser } from '#shared/proximity/contract.ts';
import { RADIUS_FEET } from '#shared/proximity/rules.ts';
import type { Fix } from '../proximity/tracking/tracker.ts';
import { DistanceMeter } from './distance-meter.ts';
import { withPoint } from './route.ts';
import type { WalkHistory } from './walk-history.ts';
import { IDLE_MS, startWalk, withMet, type Walk } from './walk.ts';

/** Less accurate fixes aren't part of a route. */
const ROUTE_ACCURACY_METERS = 50;

/** What the owner's settings and choices add to a walk. */
interface OwnWalk {
  isQuiet(fix: Fix): boolean;
  /** The names of the dogs that come along. */
  dogs(): string[];
}

/**
 * Records walks from the device's fixes while the owner shares their location. Only the leading tab has one. A walk
 * continues after a reload. A forgotten one ends automatically, and the next begins when the owner moves again.
 */
export class WalkRecorder {
  readonly #history: Pick<WalkHistory, 'getAll' | 'getCurrent' | 'save' | 'end'>;
  readonly #meter = new DistanceMeter();
  /** The last walk was forgotten: no new one until the owner moves. */
  #isResting = false;

  readonly #own: OwnWalk;

  constructor(
    history: Pick<WalkHistory, 'getAll' | 'getCurrent' | 'save' | 'end'>,
    own: OwnWalk = { isQuiet: () => false, dogs: () => [] },
  ) {
    this.#history = history;
    this.#own = own;
  }

  /** Handles a fix of the device. */
  fix(fix: Fix): void {
    // Still reading what was recorded before a reload.
    if (!this.#history.getAll()) return;
    const meters = this.#meter.add(fix);
    const current = this.#current(fix.at);
    if (!current) {
      if (this.#isResting && meters === 0) return;
      this.#isResting = false;
      void this.#history.save(this.#withRoute(startWalk(fix.at, this.#own.dogs()), fix));
      return;
    }
    const updatedAt = Math.max(current.updatedAt, fix.at);
    const moved = meters > 0 && {
      distanceMeters: current.distanceMeters + meters,
      movedAt: updatedAt,
    };
    void this.#history.save(this.#withRoute({ ...current, updatedAt, ...moved }, fix), false);
  }

  /** A fix in a quiet place isn't stored. */
  #withRoute(walk: Walk, fix: Fix): Walk {
    if ((fix.accuracy ?? 0) > ROUTE_ACCURACY_METERS || this.#own.isQuiet(fix)) return walk;
    const seconds = Math.max(0, fix.at - walk.startedAt) / 1000;
    return { ...walk, route: withPoint(walk.route ?? [], fix, seconds) };
  }

  /** Handles the list of people nearby. */
  nearby(people: readonly NearbyUser[], now: number): void {
    const current = this.#history.getCurrent();
    if (!current) return;
    const met = people.filter(
      ({ is_anonymous, distance_feet }) => !is_anonymous && distance_feet <= RADIUS_FEET,
    );
    const walk = withMet(current, met, now);
    if (walk !== current) void this.#history.save(walk);
  }

  /** The active walk. A forgotten one is ended first. */
  #current(now: number): Walk | null {
    const current = this.#history.getCurrent();
    if (!current || now - current.movedAt <= IDLE_MS) return current;
    this.#isResting = true;
    void this.#history.end(false, now);
    return null;
  }
}
