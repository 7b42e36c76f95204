import { METERS_PER_FOOT, metersBetween } from '#shared/place.ts';
import type { LocationAnswer, NearbyUser, PositionReport } from '#shared/proximity/contract.ts';
import {
  cadenceStep,
  NEARBY_MAX,
  POLL_SECONDS,
  RADIUS_FEET,
  STALE_SECONDS,
  WIDEST_FEET,
} from '#shared/proximity/rules.ts';
import { MINUTE_MS } from '#shared/time.ts';
import {
  type ActiveUser,
  asNearby,
  selectNearby,
  SEPARATED_METERS,
  pairKey,
} from './active-user.ts';
import { COARSE_ERROR_METERS } from './coarse-location.ts';
import type { EncounterEngine } from './encounter-engine.ts';
import { CELL_METERS, Grid } from './grid.ts';
import {
  ANONYMOUS_METERS,
  anonymousMeters,
  relationOf,
  relationOfEligible,
  sharedRadiusFeet,
  type SideAnywhere,
  type Sight,
  sightOf,
} from './visibility.ts';

/** A pair is forgotten when it was not seen near each other for this long. */
const REMEMBERED_MS = 10 * MINUTE_MS;

/**
 * The pairs who stopped seeing each other by name while they were near: a warning without a name would tell when the block was. It outlasts
 * pauses of sharing, drives and changes of dogs, with which one of them could ask for the warning (decision 357).
 */
class HiddenPairs {
  /** When each pair was near each other last, in milliseconds, oldest first. */
  readonly #nearAt = new Map<string, number>();

  has(one: ActiveUser, other: ActiveUser, now: number): boolean {
    if (this.#nearAt.size === 0) return false;
    const at = this.#nearAt.get(pairKey(one, other));
    return at !== undefined && at > now - REMEMBERED_MS;
  }

  /** Notes that a hidden pair, or one that is hidden from now on, is near each other. */
  add(one: ActiveUser, other: ActiveUser, now: number): void {
    const key = pairKey(one, other);
    this.#nearAt.delete(key);
    this.#nearAt.set(key, now);
    for (const [each, at] of this.#nearAt) {
      if (at > now - REMEMBERED_MS) break;
      this.#nearAt.delete(each);
    }
  }

  delete(one: ActiveUser, other: ActiveUser): void {
    this.#nearAt.delete(pairKey(one, other));
  }
}

export interface SightingsDependencies {
  /** Returns milliseconds of a monotonic clock. */
  now(): number;
  /** Returns the id by which a viewer sees a user on this walk who may not be identified; it reveals nothing about who it is. */
  idOf(viewer: ActiveUser, other: ActiveUser): string;
  /**
   * Whether a user may be shown another one beyond 100 ft: a budget of strangers limits it (decision 357).
   * @param isOwnChoice whether the user chose the radius that asks for it
   */
  mayShow(userId: string, otherId: string, isOwnChoice: boolean): boolean;
  /** Notifies a user of another one whom both are shown from now on. It is no encounter: nothing is recorded. */
  onEntry(viewerId: string, other: NearbyUser): void;
}

/** A user who is shown to others beyond the encounter radius, whatever the others' settings. */
interface FarUser {
  user: ActiveUser;
  latitude: number;
  longitude: number;
}

type Seen = Sight & { user: ActiveUser };

/** The speed at which two people approach each other at most, in meters per second: two joggers. */
const CLOSING_SPEED = 6;
/** No one is asked to report faster than this because of users beyond the shared radius. */
const FASTEST_SECONDS = 5;
/** How often users report while another user is within their radius. */
const WITHIN_SECONDS = 10;
/** How often users report while another user is nearby, but not yet within an alert radius that is smaller than usual. */
const BEFORE_SMALL_SECONDS = 2;
/** More anonymous warnings than this do not help on a walk. */
const ANONYMOUS_MAX = 5;
/** Positions may be this much farther apart than coarse locations. */
const COARSE_SLACK_METERS = 2 * COARSE_ERROR_METERS;
const LOOK_AHEAD_METERS = CLOSING_SPEED * POLL_SECONDS;
const ANONYMOUS_REACH_METERS = ANONYMOUS_METERS + SEPARATED_METERS + COARSE_SLACK_METERS;
const reachOf = (radiusFeet: number): number =>
  radiusFeet * METERS_PER_FOOT + LOOK_AHEAD_METERS + COARSE_SLACK_METERS;

/**
 * What users are shown of each other besides encounters: by name within the wider of their radii (decision 357), and without names
 * where `relationOf` says so (decision 357). Both are shown each other at the same time: in the answers to their reports, and by an event
 * when it begins.
 */
export class Sightings {
  readonly #engine: EncounterEngine;
  readonly #dependencies: SightingsDependencies;
  /** Few users are in it, so reports cost nothing where there are none. */
  readonly #far = new Grid<FarUser>();
  readonly #farByUser = new Map<ActiveUser, FarUser>();
  readonly #hidden = new HiddenPairs();

  constructor(engine: EncounterEngine, dependencies: SightingsDependencies) {
    this.#engine = engine;
    this.#dependencies = dependencies;
  }

  /** Adds to the engine's answer whom else the user is shown who reported, and notifies both of those who are new. */
  apply(userId: string, report: PositionReport, answer: LocationAnswer): LocationAnswer {
    const user = this.#engine.user(userId);
    if (!user) return answer;
    this.#track(user);
    if (user.isIneligible) return answer;
    const { seen, seconds } = this.#look(user, user.placedBy === report ? 'here' : 'nowhere');
    const met = new Set(answer.nearbyUsers.map(({ user_id }) => user_id));
    const named = seen
      .filter((one) => one.relation === 'named' && !met.has(one.user.person.user_id))
      .toSorted((one, other) => one.feet - other.feet || byId(one.user, other.user));
    const anonymous = seen.filter((one) => one.relation === 'anonymous').slice(0, ANONYMOUS_MAX);
    const shown = [...selectNearby(named, NEARBY_MAX - answer.nearbyUsers.length), ...anonymous];
    const isTooFar = ({ distance_feet }: NearbyUser) =>
      distance_feet > (report.radius_feet ?? RADIUS_FEET);
    return {
      ...answer,
      nearbyUsers: [...answer.nearbyUsers, ...shown.map((one) => this.#shown(user, one))],
      next_update_seconds: cadenceStep(
        Math.min(
          answer.next_update_seconds,
          seconds,
          named.length > 0 ? WITHIN_SECONDS : POLL_SECONDS,
          answer.nearbyUsers.some(isTooFar) ? BEFORE_SMALL_SECONDS : POLL_SECONDS,
        ),
      ),
    };
  }

  /** Notifies the users of this node of a user whose report another node received. */
  observe(user: ActiveUser, report: PositionReport): void {
    if (user.placedBy !== report) return;
    this.#track(user);
    if (user.isIneligible) return;
    const { seconds } = this.#look(user, 'elsewhere');
    if (seconds < POLL_SECONDS) this.#engine.requestReport(user, cadenceStep(seconds));
  }

  /**
   * Applies a change of a user's name or blocks. Those near them whom they no longer see by name are hidden, both from each other, until
   * they have been apart: a warning at once would tell when the block was.
   */
  applyChange(user: ActiveUser, before: SideAnywhere): void {
    const isRenamed = user.isNameless !== before.isNameless;
    if (!isRenamed && user.person.blocked === before.person.blocked) return;
    const affected = new Set(isRenamed ? this.#engine.around(user, ANONYMOUS_REACH_METERS) : []);
    for (const userId of [...user.person.blocked, ...before.person.blocked]) {
      const other = this.#engine.user(userId);
      if (other) affected.add(other);
    }
    affected.delete(user);
    for (const other of affected) {
      // Whether positions can be used changes nothing: it may be different a moment later.
      const [then, now] = [relationOfEligible(before, other), relationOfEligible(user, other)];
      if (then === now) continue;
      forgetSight(user, other);
      if (now === 'named') this.#hidden.delete(user, other);
      else if (isAnonymouslyNear(user, other))
        this.#hidden.add(user, other, this.#dependencies.now());
    }
  }

  /** Forgets a user who no longer shares a position. */
  remove(user: ActiveUser): void {
    this.#untrack(user);
    for (const other of user.sights ?? []) forgetSight(user, other);
  }

  #track(user: ActiveUser): void {
    if (user.isIneligible || (user.radiusFeet <= RADIUS_FEET && !user.isNameless))
      return this.#untrack(user);
    const known = this.#farByUser.get(user);
    if (known) return this.#far.move(known, user);
    const far: FarUser = { user, latitude: user.latitude, longitude: user.longitude };
    this.#farByUser.set(user, far);
    this.#far.add(far);
  }

  #untrack(user: ActiveUser): void {
    const far = this.#farByUser.get(user);
    if (!far) return;
    this.#far.remove(far);
    this.#farByUser.delete(user);
  }

  /** Returns those whom a user may be shown, or not any more. */
  #candidates(user: ActiveUser): Set<ActiveUser> {
    const found = new Set<ActiveUser>(user.sights);
    if (user.isNameless || user.radiusFeet > RADIUS_FEET) {
      const reach = Math.max(reachOf(user.radiusFeet), ANONYMOUS_REACH_METERS);
      for (const other of this.#engine.around(user, reach)) found.add(other);
    }
    for (const userId of user.person.blocked) {
      const other = this.#engine.user(userId);
      if (other) found.add(other);
    }
    if (this.#farByUser.size > 0)
      for (let ring = 0; ring <= Math.ceil(reachOf(WIDEST_FEET) / CELL_METERS); ring += 1)
        this.#far.visitRing(user, ring, ({ user: other }) => found.add(other));
    found.delete(user);
    return found;
  }

  /**
   * Updates whom a user is shown, and notifies both of those who are new.
   * @param reported which node received the position: another one notifies both, too, so this one notifies its own users only. `nowhere`: the
   *   position is not new. Only this node knows of that report, so that it changes nothing
   * @returns those whom the user is shown, and in how many seconds they must report because of others who may come near
   */
  #look(
    user: ActiveUser,
    reported: 'here' | 'elsewhere' | 'nowhere',
  ): { seen: Seen[]; seconds: number } {
    const seen: Seen[] = [];
    let seconds: number = POLL_SECONDS;
    const fresh = this.#dependencies.now() - STALE_SECONDS * 1000;
    for (const other of this.#candidates(user)) {
      const isShown = user.sights?.has(other) === true;
      const isStale = Math.min(user.reportedAt, other.reportedAt) <= fresh;
      const isOut = isStale || this.#isHidden(user, other, reported !== 'nowhere');
      const sight = isOut ? null : sightOf(user, other, isShown ? SEPARATED_METERS : 0);
      if (!isStale && relationOf(user, other) === 'named') {
        const needed = secondsUntilWithin(user, other);
        seconds = Math.min(seconds, needed);
        if (needed < POLL_SECONDS) this.#engine.requestReport(other, cadenceStep(needed));
      }
      const isAllowed = sight && (sight.isEncounter || this.#mayShow(user, other, sight));
      const isNew = reported !== 'nowhere';
      if (!isAllowed) {
        if (isNew) forgetSight(user, other);
        continue;
      }
      if (isNew) addSight(user, other);
      else if (!isShown) continue;
      if (sight.isEncounter) continue;
      const one = { ...sight, user: other };
      seen.push(one);
      if (!isShown) this.#notify(user, one, reported === 'elsewhere');
    }
    return { seen, seconds };
  }

  /** Whether two users are hidden from each other since they were near each other by name. It ends when both are known to be apart. */
  #isHidden(user: ActiveUser, other: ActiveUser, isNew: boolean): boolean {
    const now = this.#dependencies.now();
    if (!this.#hidden.has(user, other, now)) return false;
    if (!isNew || user.isIneligible || other.isIneligible) return true;
    if (isAnonymouslyNear(user, other)) this.#hidden.add(user, other, now);
    else this.#hidden.delete(user, other);
    return true;
  }

  /** Whether the budgets of both allow it. Both are asked, so that both are counted. */
  #mayShow(user: ActiveUser, other: ActiveUser, { relation }: Sight): boolean {
    if (relation === 'anonymous') return true;
    const [one, two] = [user, other].map((each) => each.person.user_id) as [string, string];
    const meters = metersBetween(user.coarse, other.coarse);
    const isWithin = ({ radiusFeet }: ActiveUser) => meters <= radiusFeet * METERS_PER_FOOT;
    const answers = [
      this.#dependencies.mayShow(one, two, isWithin(user)),
      this.#dependencies.mayShow(two, one, isWithin(other)),
    ];
    return answers.every(Boolean);
  }

  #notify(user: ActiveUser, seen: Seen, isElsewhere: boolean): void {
    const pair: [ActiveUser, ActiveUser][] = [
      [user, seen.user],
      [seen.user, user],
    ];
    for (const [viewer, other] of pair)
      if (!isElsewhere || !viewer.isForeign)
        this.#dependencies.onEntry(
          viewer.person.user_id,
          this.#shown(viewer, { ...seen, user: other }),
        );
  }

  /** Someone anonymous is one dog that needs space, whichever of the two has it: it is the same for both. */
  #shown(viewer: ActiveUser, { user, relation, feet }: Seen): NearbyUser {
    if (relation === 'named') return asNearby(user.person, feet);
    return {
      user_id: this.#dependencies.idOf(viewer, user),
      display_name: '',
      distance_feet: feet,
      dogs: [{ name: '', sound_type: 'leash_on', image_key: null }],
      is_anonymous: true,
    };
  }
}

function addSight(one: ActiveUser, other: ActiveUser): void {
  (one.sights ??= new Set()).add(other);
  (other.sights ??= new Set()).add(one);
}

function forgetSight(one: ActiveUser, other: ActiveUser): void {
  one.sights?.delete(other);
  other.sights?.delete(one);
}

const isAnonymouslyNear = (one: ActiveUser, other: ActiveUser): boolean =>
  anonymousMeters(one, other) <= ANONYMOUS_METERS + SEPARATED_METERS;

const byId = (a: ActiveUser, b: ActiveUser): number =>
  a.person.user_id < b.person.user_id ? -1 : 1;

/** Returns the seconds until two users might be within the wider of their radii, by coarse locations. */
function secondsUntilWithin(one: ActiveUser, other: ActiveUser): number {
  const radius = sharedRadiusFeet(one, other);
  if (radius <= RADIUS_FEET) return POLL_SECONDS;
  const beyond = metersBetween(one.coarse, other.coarse) - radius * METERS_PER_FOOT;
  return beyond <= 0 ? WITHIN_SECONDS : Math.max(FASTEST_SECONDS, beyond / CLOSING_SPEED);
}
