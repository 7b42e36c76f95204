import { METRES_PER_DEGREE, metresBetween, type Place } from '#shared/place.ts';
import type {
  LocationAnswer,
  NearbyUser,
  PositionReport,
  ReportOrder,
} from '#shared/proximity/contract.ts';
import {
  cadenceStep,
  FIX_MAX_AGE_SECONDS,
  isTooRough,
  POLL_SECONDS,
  RADIUS_METRES,
  shownFeet,
  STALE_SECONDS,
} from '#shared/proximity/rules.ts';
import { longestPause, staysAside } from './aside.ts';
import { COARSE_ERROR_METERS } from './coarse-location.ts';
import { isLeftBehind } from './devices.ts';
import type { EncounterWorld } from './encounter-world.ts';
import { BELIEVED_SECONDS, Foresight, isForeseenWithin } from './foresight.ts';
import { CELL_METRES, Grid } from './grid.ts';
import { asNearby, type Coarse, fitting, Live, liveRows, mayMeet, type Person } from './live.ts';
import { Order } from './order.ts';
import { isWithinTravel, Plausibility } from './plausibility.ts';
import { Queue } from './queue.ts';
import { renew } from './renew.ts';
import { areTogether, Told } from './told.ts';
import { course, follow, isKnown, isStanding, soonest, Track, trackRows } from './track.ts';

/** A warning is only given on a course that leads well into the circle: passing by is no meeting. */
const WELL_INSIDE_METRES = RADIUS_METRES * 0.8;
/**
 * Nobody is asked to report faster than this because of people whom they have not been notified of (decision 230): when one of
 * the two moves, and when both stand still.
 */
const MOVING_SECONDS = 2;
const STANDING_SECONDS = 5;
/** Two people whose coarse locations are this close may be within the radius. */
const COARSE_RADIUS_METERS = RADIUS_METRES + 2 * COARSE_ERROR_METERS;
/** Wide cells, as the look-out for people who may come near is wide. */
const COARSE_CELL_METERS = 128;
/** How often those report who have somebody nearby, so that the distance they see is about right. */
const NEARBY_SECONDS = 10;
/** Somebody so late with a promised report is out of reach; they will be found when they are back. */
const LATE_MS = 15_000;
/** How fast others may go, for how far to look; those who are faster look further themselves. */
const OTHERS_SPEED = 4;
/** Enough neighbours looked at for one report. */
const NEIGHBOURS_MAX = 400;

/**
 * Everybody who shares a position, who is near whom, when each must report next, and the moment at
 * which two people meet: from their positions or, between reports, from their closing courses.
 */
export class Encounters {
  readonly #world: EncounterWorld;
  readonly #rows = liveRows();
  readonly #tracks = trackRows();
  readonly #grid = new Grid<Live>();
  readonly #coarseGrid = new Grid<Coarse>(COARSE_CELL_METERS);
  readonly #live = new Map<string, Live>();
  /** Those who reported longest ago come first; for a while after a restart, see below, only mostly. */
  readonly #byReport = new Queue<Live>();
  /** Whoever was restored came in no order, but is stale or has reported again by then. */
  #unorderedUntil = -Infinity;
  readonly #told = new Told();
  readonly #order = new Order();
  readonly #plausibility = new Plausibility();
  readonly #foresight: Foresight;

  constructor(world: EncounterWorld) {
    this.#world = world;
    this.#foresight = new Foresight(world, (live, other) => this.#meet(live, other, RADIUS_METRES));
  }

  get size(): number {
    return this.#live.size;
  }

  everybody(): Iterable<Readonly<Live>> {
    return this.#live.values();
  }

  live(userId: string): Live | undefined {
    return this.#live.get(userId);
  }

  /** A position from before a restart, with when it was reported; they may come in any order. */
  restore(person: Person, place: Place, at: number, { from = '', isAside = false } = {}): void {
    const reportedAt = Math.min(at, this.#world.now());
    this.drop(person.user_id);
    const live = this.#add(person, place, reportedAt, reportedAt);
    live.from = from;
    live.isAside = isAside;
    this.#unorderedUntil = this.#world.now() + STALE_SECONDS * 1000;
  }

  /** Two people who were told of each other before a restart. */
  restoreMeeting(oneId: string, otherId: string, at: number): void {
    const one = this.#live.get(oneId);
    const other = this.#live.get(otherId);
    if (one && other) this.#told.remember(one, other, at);
  }

  /** Whether a report says where somebody is better than what is known of them; else they stay where they are. */
  moves(userId: string, report: PositionReport, from: string): boolean {
    const live = this.#live.get(userId);
    if (this.#order.isLate(live, report) || this.#unconfirmed(userId, report, from) > 0)
      return false;
    return !live || this.#isBetter(live, report, from);
  }

  #isBetter(live: Live, report: PositionReport, from: string): boolean {
    if (this.#world.now() - live.reportedAt > STALE_SECONDS * 1000) return true;
    return !isLeftBehind(live, from, report) && (live.isAside || !isTooRough(report));
  }

  /**
   * Takes somebody's new position and answers who is nearby and when to report again.
   * @param from which of their devices has sent it
   */
  report(person: Person, report: PositionReport, from = ''): LocationAnswer {
    const now = this.#world.now();
    const known = this.#live.get(person.user_id);
    // Whoever sent it has given it up long ago.
    if (this.#order.isLate(known, report))
      return { nearbyUsers: [], next_update_seconds: POLL_SECONDS };
    const unconfirmed = this.#unconfirmed(person.user_id, report, from);
    if (unconfirmed > 0)
      return {
        nearbyUsers: [],
        next_update_seconds: cadenceStep(Math.ceil(unconfirmed)),
        is_unconfirmed: true,
      };
    const live = known ?? this.#add(person, report, now, now);
    const isMoved = !known || this.#isBetter(known, report, from);
    live.hear(from, report, now);
    if (isMoved) this.#place(live, report, now, from);
    for (const each of renew(live, person)) this.#world.turnedWary?.(each);
    const answer = this.#answer(live, now, longestPause(report));
    if (live.from === from)
      live.promisedAt = live.expectedAt = now + answer.next_update_seconds * 1000;
    // A fix may be that old: whoever has none that is newer is warned of nobody, and is to know it.
    if (isTooRough(report) && (live.isAside || now - live.fixAt > FIX_MAX_AGE_SECONDS * 1000))
      return { ...answer, nearbyUsers: [], is_too_rough: true };
    return answer;
  }

  /** Seconds until a report's position may count; 0 if it does now. One that meets nobody anyway is not checked. */
  #unconfirmed(userId: string, report: PositionReport, from: string): number {
    if (staysAside(report)) return 0;
    const now = this.#world.now();
    const live = this.#live.get(userId);
    if (live && !live.isAside) {
      const seconds = (now - live.reportedAt) / 1000;
      if (live.from === from && isWithinTravel(live, report, seconds)) return 0;
      this.#observe(live);
    }
    return this.#plausibility.check(userId, from, report, now);
  }

  /** Remembers where somebody was believed last. */
  #observe(live: Live): void {
    if (live.isAside) return;
    this.#plausibility.observe(live.person.user_id, live.from, live, live.reportedAt);
  }

  /** Puts somebody where their report says. */
  #place(live: Live, report: PositionReport, now: number, from: string): void {
    const fixAt = now - (report.age_seconds ?? 0) * 1000;
    if (from !== live.from || staysAside(report)) this.#observe(live);
    live.from = from;
    this.#order.follow(live, report, now);
    live.isAside = staysAside(report);
    live.fixAt = fixAt;
    live.reportedAt = now;
    this.#grid.move(live, report);
    this.#coarseGrid.move(live.coarse, live.coarse.ofNow());
    this.#byReport.remove(live);
    this.#byReport.add(live);
    const fix = { ...report, at: fixAt };
    if (live.track) follow(live.track, fix);
    else live.track = new Track(this.#tracks, fix);
    this.#foresight.forget(live);
    this.#told.noticeParted(live, now);
  }

  #answer(live: Live, now: number, alone: number): LocationAnswer {
    const nearbyUsers = this.#meetNearby(live, now);
    const longest = nearbyUsers.length > 0 ? NEARBY_SECONDS : alone;
    return { nearbyUsers, next_update_seconds: this.#nextUpdate(live, now, longest) };
  }

  /** Changed names, dogs or blocks of somebody who is here. */
  refresh(person: Person): void {
    const live = this.#live.get(person.user_id);
    if (!live) return;
    for (const each of renew(live, person)) this.#world.turnedWary?.(each);
    for (const other of live.foreseen?.keys() ?? [])
      if (!mayMeet(live, other)) this.#foresight.cancel(live, other);
  }

  /** What a tracker sent before this does not count any more. */
  outdate(order: ReportOrder): void {
    this.#order.note(order, this.#world.now());
  }

  /** Somebody shares no position any more. */
  drop(userId: string): void {
    const live = this.#live.get(userId);
    if (!live) return;
    this.#order.leave(live, this.#world.now());
    this.#observe(live);
    this.#plausibility.blur(userId);
    this.#foresight.forget(live);
    this.#told.leave(live);
    this.#grid.remove(live);
    this.#coarseGrid.remove(live.coarse);
    this.#byReport.remove(live);
    this.#live.delete(userId);
    this.#rows.giveBack(live.handle);
    live.track?.end();
    live.track = null;
  }

  /** Drops everybody whose position went stale, and answers their ids. */
  dropStale(): string[] {
    const now = this.#world.now();
    const stale: string[] = [];
    for (const live of this.#byReport) {
      if (live.reportedAt <= now - STALE_SECONDS * 1000) stale.push(live.person.user_id);
      else if (now >= this.#unorderedUntil) break;
    }
    for (const userId of stale) this.drop(userId);
    this.#told.forgetOld(now);
    this.#plausibility.sweep(now);
    return stale;
  }

  /** Everybody whose position counts, within so many metres of a place. */
  *around(place: Place, metres: number): Generator<Live> {
    const found: Live[] = [];
    const rings = Math.ceil(metres / CELL_METRES);
    for (let ring = 0; ring <= rings; ring += 1)
      this.#grid.visitRing(place, ring, (live) => found.push(live));
    const fresh = this.#world.now() - STALE_SECONDS * 1000;
    for (const live of found)
      if (live.reportedAt > fresh && metresBetween(place, live) <= metres) yield live;
  }

  /** Asks somebody to report within so many seconds, unless they are about to. */
  hasten(live: Live, seconds: number): void {
    const at = this.#world.now() + seconds * 1000;
    // Half a second of grace: a report that is on its way need not be asked for.
    if (live.promisedAt <= at + 500) return;
    live.promisedAt = at;
    this.#world.hasten(live.person.user_id, seconds);
  }

  #add(person: Person, place: Place, fixAt: number, reportedAt: number): Live {
    const live = new Live(this.#rows, person, place, this.#world.offsetOf(person.user_id));
    live.fixAt = fixAt;
    live.reportedAt = reportedAt;
    live.promisedAt = live.expectedAt = reportedAt + POLL_SECONDS * 1000;
    this.#live.set(person.user_id, live);
    this.#byReport.add(live);
    this.#grid.add(live);
    this.#coarseGrid.add(live.coarse);
    return live;
  }

  #trackOf(live: Live): Track {
    const { latitude, longitude, fixAt } = live;
    return (live.track ??= new Track(this.#tracks, { latitude, longitude, at: fixAt }));
  }

  #meetNearby(live: Live, now: number): NearbyUser[] {
    const near: { live: Live; metres: number }[] = [];
    const consider = (other: Live) => {
      if (other === live || now - other.reportedAt > STALE_SECONDS * 1000) return;
      if (Math.abs(other.latitude - live.latitude) > 0.0003 || !mayMeet(live, other)) return;
      const metres = metresBetween(live, other);
      if (metres <= RADIUS_METRES) near.push({ live: other, metres });
    };
    this.#grid.visitRing(live, 0, consider);
    this.#grid.visitRing(live, 1, consider);
    // Whoever was told of at the moment that was foreseen is there from then on, also for who did not hear of it.
    for (const other of live.inside?.keys() ?? [])
      if (!near.some((one) => one.live === other) && isForeseenWithin(live, other, now))
        near.push({ live: other, metres: RADIUS_METRES });
    near.sort((a, b) => a.metres - b.metres);
    for (const one of near) this.#meet(live, one.live, one.metres);
    return fitting(near).map((one) => asNearby(one.live.person, shownFeet(one.metres)));
  }

  /** Tells both, once per meeting. */
  #meet(mover: Live, other: Live, metres: number): void {
    const now = this.#world.now();
    if (this.#told.isRecent(mover, other, now)) return;
    this.#foresight.cancel(mover, other);
    this.#told.remember(mover, other, now);
    this.#world.met({
      mover: mover.person,
      other: other.person,
      distance_feet: shownFeet(metres),
    });
  }

  /**
   * How soon somebody must report again so that nobody gets within the radius unnoticed, looking outward only as far as it
   * matters. Hastens others whose promised report would come too late. It depends on coarse locations only.
   */
  #nextUpdate(live: Live, now: number, longest: number): number {
    const track = this.#trackOf(live);
    let wait = longest;
    let seen = 0;
    const { coarse } = live;
    const closing = track.possible + OTHERS_SPEED;
    const margin = COARSE_RADIUS_METERS + OTHERS_SPEED * POLL_SECONDS;
    const consider = ({ live: other }: Coarse) => {
      // Most people in the cells at the edge are too far away to matter.
      const northward = Math.abs(other.coarse.latitude - coarse.latitude) * METRES_PER_DEGREE;
      if (northward > margin + closing * wait) return;
      if (other === live || now > other.expectedAt + LATE_MS) return;
      seen += 1;
      const othersTrack = this.#trackOf(other);
      const earliest = soonest(coarse, track, other.coarse, othersTrack, now, COARSE_RADIUS_METERS);
      if (earliest >= POLL_SECONDS || areTogether(live, other) || !mayMeet(live, other)) return;
      if (earliest < BELIEVED_SECONDS) this.#foresee(live, other, now);
      // Both report as often as they may be asked to.
      if (wait <= MOVING_SECONDS && other.promisedAt <= now + MOVING_SECONDS * 1000) return;
      const isMoving = !isStanding(track) || !isStanding(othersTrack);
      const needed = Math.max(isMoving ? MOVING_SECONDS : STANDING_SECONDS, earliest);
      wait = Math.min(wait, needed);
      this.hasten(other, cadenceStep(needed));
    };
    for (let ring = 0; seen < NEIGHBOURS_MAX; ring += 1) {
      const clear = (ring - 1) * COARSE_CELL_METERS - margin;
      if (clear / closing >= wait) break;
      this.#coarseGrid.visitRing(live.coarse, ring, consider);
    }
    return cadenceStep(wait);
  }

  /** Notes the moment at which two courses lead well into the circle, if they do. */
  #foresee(live: Live, other: Live, now: number): void {
    const a = this.#trackOf(live);
    const b = this.#trackOf(other);
    if (!isKnown(a) || !isKnown(b)) return;
    if (soonest(live, a, other, b, now, RADIUS_METRES) >= BELIEVED_SECONDS) return;
    const { entersIn, closest } = course(a, b, now, RADIUS_METRES);
    if (entersIn === null || closest > WELL_INSIDE_METRES) return;
    this.#foresight.foresee(live, other, now + entersIn * 1000);
  }
}
