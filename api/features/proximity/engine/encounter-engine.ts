import { METERS_PER_DEGREE, metersBetween, type Place } from '#shared/place.ts';
import type { LocationAnswer, PositionReport, ReportOrder } from '#shared/proximity/contract.ts';
import {
  cadenceStep,
  FIX_MAX_AGE_SECONDS,
  isTooRough,
  POLL_SECONDS,
  RADIUS_FEET,
  RADIUS_METERS,
  shownFeet,
  STALE_SECONDS,
} from '#shared/proximity/rules.ts';
import {
  ActiveUser,
  type CoarseLocation,
  isDriving,
  isIneligible,
  isTogether,
  needsSpace,
  type Neighbor,
  type Person,
  selectNearby,
  NotifiedPairs,
  ReportSequence,
} from './active-user.ts';
import { COARSE_CELL_METERS, COARSE_RADIUS_METERS } from './coarse-location.ts';
import { asNearbyUsers, coursesOf } from './course.ts';
import type { EncounterDependencies, ForeignReport } from './encounter-dependencies.ts';
import { CELL_METERS, Grid } from './grid.ts';
import {
  COURSE_SECONDS,
  earliestEntry,
  isPredictedWithin,
  isWithinPossible,
  predictApproach,
  DRIVING_SECONDS,
  LATE_MS,
  MOVING_SECONDS,
  NEARBY_SECONDS,
  secondsTogether,
  STILL_SECONDS,
} from './motion-filter.ts';
import { isWithinTravel, Plausibility } from './plausibility.ts';
import { encounterMeters, mayMeet, relationOf } from './visibility.ts';

/** Courses only trigger a warning if they lead this deep into the radius: passing by is no encounter. */
const WELL_INSIDE_METERS = RADIUS_METERS * 0.8;
/** The speed of others that determines how far to search; those who are faster search farther themselves. */
const OTHERS_SPEED = 4;
/** How long a node waits for another one to announce the encounter that its report shows; the bus needs less. */
const FOREIGN_GRACE_MS = 300;
/** At most this many neighbors are examined for one report. */
const NEIGHBORS_MAX = 400;

type RestoredFrom = Partial<Pick<ActiveUser, 'device' | 'isIneligible'>>;

/**
 * Decides which users are near each other, when each user must report next, and when two users meet: by their positions or, between reports,
 * by the courses that lead them together. Keeps all users who share a position in memory; does no I/O. Decision 22.
 */
export class EncounterEngine {
  readonly #dependencies: EncounterDependencies;
  readonly #users = new Map<string, ActiveUser>();
  readonly #grid = new Grid<ActiveUser>();
  readonly #coarseGrid = new Grid<CoarseLocation>(COARSE_CELL_METERS);
  readonly #notifiedPairs = new NotifiedPairs();
  readonly #sequence = new ReportSequence();
  readonly #plausibility = new Plausibility();

  constructor(dependencies: EncounterDependencies) {
    this.#dependencies = dependencies;
  }

  get size(): number {
    return this.#users.size;
  }

  users(): Iterable<Readonly<ActiveUser>> {
    return this.#users.values();
  }

  user(userId: string): ActiveUser | undefined {
    return this.#users.get(userId);
  }

  /** Restores a position from the database, unless a newer one is known. @param at when it was reported */
  restore(person: Person, report: PositionReport, at: number, from: RestoredFrom = {}): void {
    const known = this.#users.get(person.user_id);
    if (known && known.reportedAt >= at) return;
    this.remove(person.user_id);
    const user = this.#add(person, report, Math.min(at, this.#dependencies.now()));
    const { device: tracker = '', sequence = 0 } = report;
    Object.assign(user, { ...from, tracker, sequence, isForeign: true });
    this.#meetLocalLater(user);
  }

  /**
   * Moves a user whose report another node received and announced. Encounters that it shows are announced by that node; if they
   * are not in time, by this one.
   */
  observe(person: Person, report: ForeignReport): void {
    const known = this.#users.get(person.user_id);
    const at = Math.min(report.at, this.#dependencies.now());
    if (this.#sequence.isLate(known, report) || (known && known.reportedAt >= at)) return;
    const user = known ?? this.#add(person, report, at);
    user.isForeign = true;
    user.recordDevice(report.session, report, at);
    this.#place(user, report, at, report.session);
    user.dueAt = user.expectedAt = at + report.next_update_seconds * 1000;
    this.#updatePerson(user, person, report);
    this.#meetLocalLater(user);
  }

  /** Announces a user's encounters with users who report to this node, unless the user's node has announced them by then. */
  #meetLocalLater(user: ActiveUser): void {
    const now = this.#dependencies.now();
    for (const { user: other } of this.#findNearby(user, now)) {
      if (other.isForeign || this.#notifiedPairs.isRecent(user, other, now)) continue;
      if (user.predicted?.has(other)) continue;
      this.#scheduleMeeting(user, other, FOREIGN_GRACE_MS, () => {
        const meters = encounterMeters(user, other);
        if (meters !== null) this.#meet(user, other, meters);
      });
    }
  }

  restoreEncounter(oneId: string, otherId: string, at: number): void {
    const one = this.#users.get(oneId);
    const other = this.#users.get(otherId);
    if (!one || !other) return;
    this.#cancelPrediction(one, other);
    this.#notifiedPairs.restore(one, other, at);
  }

  /** Whether a report's position is used: it is newer, plausible, and better than what is known of the user. */
  usesPosition(userId: string, report: PositionReport, device: string): boolean {
    const user = this.#users.get(userId);
    if (this.#sequence.isLate(user, report)) return false;
    if (this.#secondsUntilConfirmed(userId, report, device) > 0) return false;
    return !user || this.#isBetter(user, report, device);
  }

  #isBetter(user: ActiveUser, report: PositionReport, device: string): boolean {
    if (this.#dependencies.now() - user.reportedAt > STALE_SECONDS * 1000) return true;
    return !user.isLeftBehind(device, report) && (user.isIneligible || !isTooRough(report));
  }

  /**
   * Handles a position report: moves the user, triggers encounters, and answers who is nearby and when to report again.
   * @param device the session of the device that sent it
   */
  report(person: Person, report: PositionReport, device = ''): LocationAnswer {
    const now = this.#dependencies.now();
    const known = this.#users.get(person.user_id);
    // The sender no longer waits for the answer.
    if (this.#sequence.isLate(known, report))
      return { nearbyUsers: [], next_update_seconds: POLL_SECONDS };
    const unconfirmed = this.#secondsUntilConfirmed(person.user_id, report, device);
    // Others see the last usable position, so its owner is shown them from there.
    if (unconfirmed > 0)
      return {
        nearbyUsers: known ? asNearbyUsers(known, this.#meetNearby(known, now), now) : [],
        next_update_seconds: cadenceStep(Math.ceil(unconfirmed)),
        is_unconfirmed: true,
      };
    const user = known ?? this.#add(person, report, now);
    user.isForeign = false;
    const isMoved = !known || this.#isBetter(known, report, device);
    user.recordDevice(device, report, now);
    if (isMoved) this.#place(user, report, now, device);
    this.#updatePerson(user, person, isMoved ? report : null);
    const near = this.#meetNearby(user, now);
    const alone = isDriving(report) ? DRIVING_SECONDS : POLL_SECONDS;
    const longest = near.length > 0 ? this.#keepUp(user, near) : alone;
    const next_update_seconds = this.#nextUpdate(user, now, longest);
    if (user.device === device) user.dueAt = user.expectedAt = now + next_update_seconds * 1000;
    const answer: LocationAnswer = {
      nearbyUsers: asNearbyUsers(user, near, now),
      next_update_seconds,
    };
    if (user.isLeftBehind(device, report)) answer.is_left_behind = true;
    // A user without a recent fix must know that warnings may be missing.
    if (isTooRough(report) && (user.isIneligible || now - user.fixAt > FIX_MAX_AGE_SECONDS * 1000))
      return { ...answer, is_too_rough: true };
    return answer;
  }

  /** Returns the seconds until a report's position may count; 0 if it does now. An ineligible one is not checked. */
  #secondsUntilConfirmed(userId: string, report: PositionReport, device: string): number {
    if (isIneligible(report)) return 0;
    const now = this.#dependencies.now();
    const user = this.#users.get(userId);
    if (user && !user.isIneligible) {
      const seconds = (now - user.reportedAt) / 1000;
      if (user.device === device && isWithinTravel(user, report, seconds)) return 0;
      this.#observe(user);
    }
    return this.#plausibility.check(userId, device, report, now);
  }

  /** Remembers where a user's position was plausible last. */
  #observe(user: ActiveUser): void {
    if (user.isIneligible) return;
    this.#plausibility.observe(user.person.user_id, user.device, user, user.reportedAt);
  }

  #place(user: ActiveUser, report: PositionReport, now: number, device: string): void {
    const ineligible = isIneligible(report);
    if (device !== user.device || ineligible) this.#observe(user);
    user.device = device;
    user.placedBy = report;
    this.#sequence.accept(user, report, now);
    user.isIneligible = ineligible;
    user.fixAt = now - (report.age_seconds ?? 0) * 1000;
    user.reportedAt = now;
    this.#grid.move(user, report);
    this.#coarseGrid.move(user.coarse, user.coarse.current());
    user.addFix({ ...report, at: user.fixAt });
    this.#cancelPredictions(user);
    this.#notifiedPairs.separate(user, now);
  }

  /** Updates the profile or the blocks of a user who shares a position. */
  update(person: Person): void {
    const user = this.#users.get(person.user_id);
    if (!user) return;
    this.#updatePerson(user, person);
    for (const other of user.predicted?.keys() ?? [])
      if (!mayMeet(user, other)) this.#cancelPrediction(user, other);
  }

  /**
   * Notifies companions of a user who have been shown only friendly dogs, if a dog that needs space joined.
   * @param report a report with new settings; null: they stay
   */
  #updatePerson(user: ActiveUser, person: Person, report: PositionReport | null = null): void {
    const count = ({ dogs }: Person) => dogs.filter(needsSpace).length;
    const { person: personBefore, isNameless } = user;
    user.update(person, report);
    const isSpaceNeeded = count(user.person) > count(personBefore);
    this.#dependencies.onUpdate?.(user, { person: personBefore, isNameless });
    if (!isSpaceNeeded) return;
    for (const other of user.companions?.keys() ?? [])
      if (mayMeet(user, other) && !other.isForeign)
        this.#dependencies.onSpaceNeeded?.({
          mover: user.person,
          other: other.person,
          distance_feet: Math.min(RADIUS_FEET, shownFeet(metersBetween(user, other))),
        });
  }

  /** Ignores reports that a tracker sent before this one. */
  ignoreUpTo(order: ReportOrder): void {
    this.#sequence.ignoreUpTo(order, this.#dependencies.now());
  }

  /** Removes a user who no longer shares a position. */
  remove(userId: string): void {
    const user = this.#users.get(userId);
    if (!user) return;
    this.#sequence.retire(user, this.#dependencies.now());
    this.#observe(user);
    this.#plausibility.blur(userId);
    this.#cancelPredictions(user);
    this.#dependencies.onRemove?.(user);
    this.#notifiedPairs.remove(user);
    this.#grid.remove(user);
    this.#coarseGrid.remove(user.coarse);
    this.#users.delete(userId);
  }

  /** Removes all users whose position is stale. @returns their ids */
  removeStale(): string[] {
    const now = this.#dependencies.now();
    const stale: string[] = [];
    for (const { reportedAt, person } of this.#users.values())
      if (reportedAt <= now - STALE_SECONDS * 1000) stale.push(person.user_id);
    for (const userId of stale) this.remove(userId);
    this.#notifiedPairs.removeExpired(now);
    this.#plausibility.forgetOld(now);
    return stale;
  }

  /** Returns all users with a usable position within this many meters of a place. */
  around(place: Place, meters: number): ActiveUser[] {
    const found: ActiveUser[] = [];
    const fresh = this.#dependencies.now() - STALE_SECONDS * 1000;
    for (let ring = 0; ring <= Math.ceil(meters / CELL_METERS); ring += 1)
      this.#grid.visitRing(place, ring, (user) => {
        if (user.reportedAt > fresh && metersBetween(place, user) <= meters) found.push(user);
      });
    return found;
  }

  /** Asks a user to report within this many seconds, unless they are about to. */
  requestReport(user: ActiveUser, seconds: number): void {
    const at = this.#dependencies.now() + seconds * 1000;
    // Half a second of grace, for a report that is on its way.
    if (user.dueAt <= at + 500) return;
    user.dueAt = at;
    this.#dependencies.requestReport(user.person.user_id, seconds);
  }

  #add(person: Person, report: PositionReport, at: number): ActiveUser {
    const { user_id } = person;
    const user = new ActiveUser(person, report, at, this.#dependencies.offsetOf(user_id));
    user.dueAt = user.expectedAt = at + POLL_SECONDS * 1000;
    this.#users.set(user_id, user);
    this.#grid.add(user);
    this.#coarseGrid.add(user.coarse);
    return user;
  }

  /** Notifies a user and those nearby of each other. @returns those whom the user may be shown, by distance */
  #meetNearby(user: ActiveUser, now: number): Neighbor[] {
    if (now - user.reportedAt > STALE_SECONDS * 1000) return [];
    const near = this.#findNearby(user, now);
    // Since a predicted encounter both are nearby, also for the one who missed the event.
    for (const other of user.companions?.keys() ?? [])
      if (
        !near.some((one) => one.user === other) &&
        mayMeet(user, other) &&
        isPredictedWithin(user, other, now)
      )
        near.push({ user: other, meters: RADIUS_METERS });
    near.sort((a, b) => a.meters - b.meters);
    for (const one of near) this.#meet(user, one.user, one.meters);
    return selectNearby(near);
  }

  /** Makes users who were notified of each other report often enough to see the distance change. @returns in how many seconds */
  #keepUp(user: ActiveUser, near: readonly Neighbor[]): number {
    let seconds = NEARBY_SECONDS;
    for (const { user: other } of near) {
      const needed = secondsTogether(user.motion, other.motion);
      seconds = Math.min(seconds, needed);
      if (needed < NEARBY_SECONDS) this.requestReport(other, needed);
    }
    return seconds;
  }

  #findNearby(user: ActiveUser, now: number): Neighbor[] {
    const near: Neighbor[] = [];
    const consider = (other: ActiveUser) => {
      if (other === user || now - other.reportedAt > STALE_SECONDS * 1000) return;
      if (Math.abs(other.latitude - user.latitude) > 0.0003) return;
      const meters = encounterMeters(user, other);
      if (meters !== null) near.push({ user: other, meters });
    };
    this.#grid.visitRing(user, 0, consider);
    this.#grid.visitRing(user, 1, consider);
    return near;
  }

  /** Notifies both users, once per encounter. */
  #meet(mover: ActiveUser, other: ActiveUser, meters: number): void {
    const now = this.#dependencies.now();
    if (this.#notifiedPairs.isRecent(mover, other, now)) return;
    this.#cancelPrediction(mover, other);
    this.#notifiedPairs.add(mover, other, now);
    this.#dependencies.onEncounter({
      mover: mover.person,
      other: other.person,
      distance_feet: shownFeet(meters),
      courses: coursesOf(mover, other, now),
    });
  }

  /**
   * Returns how soon a user must report again so that no one gets within the radius unnoticed; searches outward only as far as
   * that can matter. Asks others whose next report would be too late to report earlier. Depends on coarse locations only.
   */
  #nextUpdate(user: ActiveUser, now: number, longest: number): number {
    const { coarse, motion } = user;
    let wait = longest;
    let examined = 0;
    const closingSpeed = motion.maxSpeed + OTHERS_SPEED;
    const margin = COARSE_RADIUS_METERS + OTHERS_SPEED * POLL_SECONDS;
    const consider = ({ user: other, latitude }: CoarseLocation) => {
      // Most users in the outer cells are too far away to matter.
      const northward = Math.abs(latitude - coarse.latitude) * METERS_PER_DEGREE;
      if (northward > margin + closingSpeed * wait) return;
      if (other === user || now > other.expectedAt + LATE_MS) return;
      examined += 1;
      const otherMotion = other.motion;
      const earliest = earliestEntry(
        coarse,
        motion,
        other.coarse,
        otherMotion,
        now,
        COARSE_RADIUS_METERS,
      );
      if (earliest >= POLL_SECONDS || isTogether(user, other)) return;
      if (relationOf(user, other) === null) return;
      if (earliest < COURSE_SECONDS) this.#predictEncounter(user, other, now);
      // Both report as often as they may be asked to.
      if (wait <= MOVING_SECONDS && other.dueAt <= now + MOVING_SECONDS * 1000) return;
      const isMoving = !motion.isStandingStill || !otherMotion.isStandingStill;
      const needed = Math.max(isMoving ? MOVING_SECONDS : STILL_SECONDS, earliest);
      wait = Math.min(wait, needed);
      this.requestReport(other, cadenceStep(needed));
    };
    for (let ring = 0; examined < NEIGHBORS_MAX; ring += 1) {
      const clear = (ring - 1) * COARSE_CELL_METERS - margin;
      if (clear / closingSpeed >= wait) break;
      this.#coarseGrid.visitRing(coarse, ring, consider);
    }
    return cadenceStep(wait);
  }

  /** Schedules the encounter to which two courses lead, if they lead well into the radius. A newer prediction replaces it. */
  #predictEncounter(user: ActiveUser, other: ActiveUser, now: number): void {
    const { motion: a } = user;
    const { motion: b } = other;
    if (!a.isVelocityKnown || !b.isVelocityKnown || !mayMeet(user, other)) return;
    if (earliestEntry(user, a, other, b, now, RADIUS_METERS) >= COURSE_SECONDS) return;
    const { entersIn, closest } = predictApproach(a, b, now, RADIUS_METERS);
    if (entersIn === null || closest > WELL_INSIDE_METERS) return;
    this.#cancelPrediction(user, other);
    if (now + entersIn * 1000 - Math.min(user.fixAt, other.fixAt) > COURSE_SECONDS * 1000) return;
    this.#scheduleMeeting(user, other, Math.max(0, entersIn * 1000), () => {
      if (isWithinPossible(user, other, this.#dependencies.now()))
        this.#meet(user, other, RADIUS_METERS);
    });
  }

  /** Runs `meet` later if the two may meet then; cancelled when one of them moves or is removed. */
  #scheduleMeeting(user: ActiveUser, other: ActiveUser, delayMs: number, meet: () => void): void {
    const cancel = this.#dependencies.after(delayMs, () => {
      user.predicted?.delete(other);
      other.predicted?.delete(user);
      if (mayMeet(user, other)) meet();
    });
    (user.predicted ??= new Map()).set(other, cancel);
    (other.predicted ??= new Map()).set(user, cancel);
  }

  #cancelPrediction(one: ActiveUser, other: ActiveUser): void {
    one.predicted?.get(other)?.();
    one.predicted?.delete(other);
    other.predicted?.delete(one);
  }

  #cancelPredictions(user: ActiveUser): void {
    for (const other of user.predicted?.keys() ?? []) this.#cancelPrediction(user, other);
  }
}
