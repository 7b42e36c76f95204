import type { Bus } from '#shared/bus/bus.ts';
import { HttpError } from '#shared/http/http-error.ts';
import type { Place } from '#shared/place.ts';
import type {
  LocationAnswer,
  NearbyUser,
  PositionReport,
  ReportOrder,
} from '#shared/proximity/contract.ts';
import { STALE_SECONDS } from '#shared/proximity/rules.ts';
import type { SignalRow } from '#shared/server/collections.ts';
import type { Log } from '#shared/server/log.ts';
import type { Signals } from '#shared/server/signals.ts';
import { eventId } from '../../platform/events/event-id.ts';
import type { EventStreams, SendOptions } from '../../platform/events/event-streams.ts';
import type { Caller } from '../../platform/session-cache.ts';
import { encounterEvent, onceOf, sendOptions } from './encounter-events.ts';
import { type ActiveUser, asNearby, type Person } from './engine/active-user.ts';
import type { OffsetOf } from './engine/coarse-location.ts';
import type { Course } from './engine/course.ts';
import type { Encounter } from './engine/encounter-dependencies.ts';
import { EncounterEngine } from './engine/encounter-engine.ts';
import { Sightings } from './engine/sightings.ts';
import { cellOf } from './nodes/followed-cells.ts';
import type { PositionMessage } from './nodes/position-bus.ts';
import { PositionExchange } from './nodes/position-exchange.ts';
import { type Clock, repeat } from './repeat.ts';
import type { EncounterStore } from './storage/encounter-store.ts';
import type { PositionStore } from './storage/position-store.ts';
import type { Profile, ProfileCache } from './storage/profile-cache.ts';
import type { StrangerBudget } from './storage/stranger-budget.ts';

export interface ProximityDependencies {
  clock: Clock;
  bus: Bus;
  events: Pick<EventStreams, 'send' | 'deliver' | 'count' | 'resumeFrom'>;
  signals: Pick<Signals, 'listen'>;
  positions: PositionStore;
  profiles: ProfileCache;
  encounters: Pick<EncounterStore, 'createRow' | 'record' | 'after' | 'recentAmong' | 'since'>;
  strangers: Pick<StrangerBudget, 'mayShow' | 'settle'>;
  /** Whether a user may use the product by a session; '' means any. */
  hasAccess(userId: string, sessionId: string): Promise<boolean>;
  /** Returns the secret offsets of a user's coarse location. */
  offsetOf(userId: string): OffsetOf;
  /** Returns the id by which a viewer sees a user who may not be identified. */
  anonymousIdOf(viewer: ActiveUser, other: ActiveUser): string;
  log: Pick<Log, 'warn' | 'error'>;
}

const JOB_MS = 30_000;
const CHUNK = 1_000;

/** Answers the reports of one node: connects the engine in memory with the database and the events. `PositionExchange` has the others. */
export class ProximityService {
  readonly #dependencies: ProximityDependencies;
  readonly #engine: EncounterEngine;
  readonly #sightings: Sightings;
  readonly #exchange: PositionExchange;
  readonly #stops: (() => void)[];

  constructor(dependencies: ProximityDependencies) {
    const { clock, events, signals, log } = dependencies;
    this.#dependencies = dependencies;
    this.#engine = new EncounterEngine({
      now: clock.now,
      after: clock.after,
      onEncounter: (encounter) => this.#announce(encounter),
      onSpaceNeeded: ({ mover, other, distance_feet }) =>
        this.#notify(other.user_id, asNearby(mover, distance_feet)),
      onUpdate: (user, before) => this.#sightings.applyChange(user, before),
      onRemove: (user) => this.#sightings.remove(user),
      offsetOf: dependencies.offsetOf,
      requestReport(userId, next_update_seconds) {
        events.send(userId, { type: 'cadence', next_update_seconds });
      },
    });
    this.#sightings = new Sightings(this.#engine, {
      now: clock.now,
      idOf: dependencies.anonymousIdOf,
      mayShow: (...who) => dependencies.strangers.mayShow(...who),
      // Several nodes may notice it.
      onEntry: (userId, user) =>
        this.#notify(userId, user, { once: onceOf(`sighting ${user.user_id}`) }),
    });
    this.#exchange = new PositionExchange(dependencies, this.#engine, this.#sightings);
    this.#stops = [
      repeat(
        clock,
        JOB_MS,
        () => this.#runJob(),
        (err) => log.warn({ err }, 'failed to forget stale positions'),
      ),
      signals.listen((signal) => {
        this.#handleSignal(signal).catch((err: unknown) =>
          log.warn({ err }, 'failed to handle a signal'),
        );
      }),
      () => this.#exchange.close(),
    ];
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  /**
   * Stores a position, then answers from it, so that of two users who report at once one sees the other.
   * @throws HttpError 409 if the user's sharing is off
   */
  async report(
    { user: { _id: userId }, session }: Caller,
    report: PositionReport,
  ): Promise<LocationAnswer> {
    const { clock, positions, strangers, log } = this.#dependencies;
    const cell = cellOf(report);
    await this.#exchange.follow(userId, cell);
    await this.#sharingProfile(userId);
    const before = this.#engine.user(userId);
    const oldCell = before && cellOf(before);
    const at = clock.wall();
    const isUsed = this.#engine.usesPosition(userId, report, session._id);
    if (isUsed) await positions.put(userId, { report, at: new Date(at), sessionId: session._id });
    // Checked again: sharing may have been switched off in the meantime.
    const { person } = await this.#sharingProfile(userId);
    const engineAnswer = this.#engine.report(person, report, session._id);
    const answer = this.#sightings.apply(userId, report, engineAnswer);
    if (isUsed) {
      const { next_update_seconds } = answer;
      const message: PositionMessage = {
        kind: 'position',
        user_id: userId,
        session: session._id,
        report,
        at,
        next_update_seconds,
      };
      this.#exchange.publish(cell, message);
      if (oldCell && oldCell !== cell) this.#exchange.publish(oldCell, message);
    }
    // Users whom this account was not shown before count against its budget first.
    const hasNew = await strangers.settle().catch((err: unknown) => {
      // Strangers beyond 100 ft are not shown then. The warning must not fail.
      log.warn({ err }, 'failed to count strangers');
      return false;
    });
    return hasNew ? this.#sightings.apply(userId, report, engineAnswer) : answer;
  }

  /** Stops sharing from the caller's device; a newer position of another one of their devices stays. */
  async leave({ user, session }: Caller, order: ReportOrder): Promise<void> {
    this.#engine.ignoreUpTo(order);
    const device = (await this.#lastReport(user._id))?.device ?? '';
    if (device === '' || device === session._id) await this.remove(user._id, order);
  }

  /** Removes a user's position, no matter from which device. */
  async remove(userId: string, order: ReportOrder = {}): Promise<void> {
    const { positions, profiles } = this.#dependencies;
    const last = await this.#lastReport(userId);
    this.#exchange.forget(userId);
    await positions.remove(userId);
    // Again, for a report or a load that was in progress.
    this.#exchange.forget(userId);
    profiles.invalidate(userId);
    if (last) this.#exchange.publish(last.cell, { kind: 'removal', user_id: userId, order });
  }

  /** Returns the positions of the users who report to this node now. They must not leave the API. */
  *positions(): Iterable<Readonly<Place & { userId: string }>> {
    const fresh = this.#dependencies.clock.now() - STALE_SECONDS * 1_000;
    for (const { person, reportedAt, latitude, longitude, isForeign } of this.#engine.users())
      if (reportedAt > fresh && !isForeign) yield { userId: person.user_id, latitude, longitude };
  }

  /** Returns the positions of those of the users who share one now, on any node. They must not leave the API. */
  async positionsOf(userIds: string[]): Promise<(Place & { userId: string })[]> {
    const rows = await this.#dependencies.positions.ofUsers(userIds);
    return rows.map(({ _id: userId, location }) => {
      const [longitude, latitude] = location.coordinates;
      return { userId, latitude, longitude };
    });
  }

  #announce({ mover, other, distance_feet, courses }: Encounter): void {
    const { clock, encounters, events, log } = this.#dependencies;
    const row = encounters.createRow(mover, other, distance_feet);
    const send = (to: Person, about: Person, course: Course | undefined) =>
      events.send(to.user_id, encounterEvent(row, about, course), sendOptions(row, about.user_id));
    send(mover, other, courses?.mover);
    send(other, mover, courses?.other);
    const place = this.#engine.user(mover.user_id);
    if (place)
      this.#exchange.publish(cellOf(place), {
        kind: 'encounter',
        user_ids: [mover.user_id, other.user_id],
        at: clock.wall(),
      });
    // Users are notified even while the database is unavailable.
    encounters
      .record(row)
      .catch((err: unknown) => log.error({ err }, 'failed to record an encounter'));
  }

  /** Sends an event that is not a new encounter and is not recorded. */
  #notify(userId: string, user: NearbyUser, options: SendOptions = {}): void {
    const { clock, events } = this.#dependencies;
    const now = clock.wall();
    const triggered_at = new Date(now).toISOString();
    events.send(userId, { type: 'encounter', id: eventId(now), triggered_at, user }, options);
  }

  /** Returns the cell and the device of a user's last report. After a restart, or elsewhere, only the database knows it. */
  async #lastReport(userId: string): Promise<{ cell: string; device: string } | null> {
    const known = this.#engine.user(userId);
    if (known) return { cell: cellOf(known), device: known.device };
    const [row] = await this.#dependencies.positions.ofUsers([userId]);
    return row ? { cell: row.cell, device: row.session_id ?? '' } : null;
  }

  async #sharingProfile(userId: string): Promise<Profile> {
    const profile = await this.#dependencies.profiles.of(userId);
    if (profile.isSharing) return profile;
    await this.remove(userId);
    throw new HttpError(409, 'Location sharing is off', { code: 'sharing_off' });
  }

  async #handleSignal(signal: SignalRow | 'lost'): Promise<void> {
    if (signal === 'lost') await this.#updateAllProfiles();
    else if (signal.topic === 'card' || signal.topic === 'blocks')
      await this.#updateProfile(signal.user_id);
    // The other topics don't change who has access.
    else if (signal.topic === 'user' || signal.topic === 'session')
      await this.#checkAccess(signal.user_id);
  }

  /** Applies a change of a user's card or blocks. */
  async #updateProfile(userId: string): Promise<void> {
    const { profiles } = this.#dependencies;
    profiles.invalidate(userId);
    if (!(await this.#lastReport(userId))) return;
    const { isSharing, person } = await profiles.of(userId);
    if (isSharing) this.#engine.update(person);
    else await this.remove(userId);
  }

  async #updateAllProfiles(): Promise<void> {
    const { profiles } = this.#dependencies;
    profiles.invalidateAll();
    const ids = Array.from(this.#engine.users(), ({ person }) => person.user_id);
    for (let from = 0; from < ids.length; from += CHUNK) {
      const found = await profiles.read(ids.slice(from, from + CHUNK));
      for (const [userId, { isSharing, person }] of found)
        if (isSharing) this.#engine.update(person);
        else if (this.#engine.user(userId)) await this.remove(userId);
    }
  }

  /** Removes a position if its user may no longer call the API, or signed out on its device. */
  async #checkAccess(userId: string): Promise<void> {
    const last = await this.#lastReport(userId);
    if (!last || (await this.#dependencies.hasAccess(userId, last.device))) return;
    // Another device of theirs may have reported in the meantime.
    if ((this.#engine.user(userId)?.device ?? last.device) === last.device)
      await this.remove(userId);
  }

  /** Forgets stale positions, and cells in which no one reports to this node any more. */
  #runJob(): void {
    const { positions, profiles, log } = this.#dependencies;
    const local = new Set(this.#exchange.localUsers());
    const stale = this.#engine.removeStale();
    for (const userId of stale) {
      this.#exchange.forget(userId);
      profiles.invalidate(userId);
    }
    this.#exchange.forgetUnfollowed();
    positions
      .removeStale(stale.filter((userId) => local.has(userId)))
      .catch((err: unknown) => log.warn({ err }, 'failed to remove stale positions'));
  }
}
