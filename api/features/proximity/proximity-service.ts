import type { Bus } from '#shared/bus/bus.ts';
import type { Place } from '#shared/place.ts';
import type {
  LocationAnswer,
  NearbyUser,
  PositionReport,
  ReportOrder,
} from '#shared/proximity/contract.ts';
import { POLL_SECONDS, STALE_SECONDS } from '#shared/proximity/rules.ts';
import type { SignalRow } from '#shared/server/collections.ts';
import type { Signals } from '#shared/server/signals.ts';
import { eventId } from '../../platform/events/event-id.ts';
import type { EventStreams, SendOptions } from '../../platform/events/streams.ts';
import { HttpError } from '../../platform/http/http-error.ts';
import type { Log } from '#shared/server/log.ts';
import type { Caller } from '../../platform/session-cache.ts';
import type { PositionRow, ProximityEventRow } from './collections.ts';
import { encounterEvent, onceOf, sendOptions } from './encounter-events.ts';
import { type ActiveUser, asNearby, type Person, withDogsAlong } from './engine/active-user.ts';
import type { OffsetOf } from './engine/coarse-location.ts';
import { EncounterEngine } from './engine/encounter-engine.ts';
import { Sightings } from './engine/sightings.ts';
import { cellOf, FollowedCells } from './nodes/followed-cells.ts';
import {
  type PositionMessage,
  type ProximityMessage,
  publishToCell,
  subscribeToCell,
} from './nodes/position-bus.ts';
import type { EncounterStore } from './storage/encounter-store.ts';
import { type PositionStore, reportOf } from './storage/position-store.ts';
import type { Profile, ProfileCache } from './storage/profile-cache.ts';
import type { StrangerBudget } from './storage/stranger-budget.ts';

/** Connects the engine in memory with the database, the events and the other nodes. */
export interface ProximityService {
  /**
   * Stores a position, then answers from it, so that of two users who report at once one sees the other.
   * @throws HttpError 409 if the user's sharing is off
   */
  report(caller: Caller, report: PositionReport): Promise<LocationAnswer>;
  /** Stops sharing from the caller's device; a newer position of another one of their devices stays. */
  leave(caller: Caller, order: ReportOrder): Promise<void>;
  /** Removes a user's position, no matter from which device. */
  remove(userId: string): Promise<void>;
  /** Returns the positions of the users who report to this node now. They must not leave the API. */
  positions(): Iterable<Readonly<Place & { userId: string }>>;
  /** Returns the positions of those of the users who share one now, on any node. They must not leave the API. */
  positionsOf(userIds: string[]): Promise<(Place & { userId: string })[]>;
  close(): void;
}

/** Time as the service sees it; the simulation has its own. */
export interface Clock {
  /** Milliseconds of a monotonic clock: changes of the wall clock must neither keep stale positions nor suppress warnings. */
  now(): number;
  /** Milliseconds of the wall clock, which nodes share. */
  wall(): number;
  /** Runs a function once. @returns a function that cancels it */
  after(milliseconds: number, run: () => void): () => void;
}

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

const SWEEP_MS = 30_000;
const CHUNK = 1000;
/** How often encounters that other nodes recorded are looked for in the database, in case the bus lost their events. */
const RECORDED_MS = 2_000;
/** How far back they are looked for: longer than a node and its database need to record one. */
const RECORDED_SINCE_MS = 10_000;
/** How often the followed cells are loaded again while the bus is disconnected. */
const WITHOUT_BUS_MS = 1_000;

/**
 * Creates the service of one node. It keeps in memory who shares a position in the cells around those who report to it: by the bus
 * and, where that fails, from the database.
 */
export function createProximityService(dependencies: ProximityDependencies): ProximityService {
  const { clock, bus, events, signals, positions, profiles, encounters, strangers, log } =
    dependencies;
  /** Converts wall clock time to the monotonic clock; a time in the future counts as now. */
  const toMonotonic = (at: number): number => clock.now() - Math.max(0, clock.wall() - at);

  /** Sends an event that is not a new encounter and is not recorded. */
  const notifyOf = (userId: string, user: NearbyUser, options: SendOptions = {}) =>
    events.send(
      userId,
      {
        type: 'encounter',
        id: eventId(clock.wall()),
        triggered_at: new Date(clock.wall()).toISOString(),
        user,
      },
      options,
    );
  const notify = (userId: string, other: Person, distance_feet: number) =>
    notifyOf(userId, asNearby(other, distance_feet));

  const engine = new EncounterEngine({
    now: clock.now,
    after: clock.after,
    onEncounter({ mover, other, distance_feet, courses }) {
      const row = encounters.createRow(mover, other, distance_feet);
      events.send(
        mover.user_id,
        encounterEvent(row, other, courses?.mover),
        sendOptions(row, other.user_id),
      );
      events.send(
        other.user_id,
        encounterEvent(row, mover, courses?.other),
        sendOptions(row, mover.user_id),
      );
      const place = engine.user(mover.user_id);
      if (place)
        publishToCell(bus, cellOf(place), {
          kind: 'encounter',
          user_ids: [mover.user_id, other.user_id],
          at: clock.wall(),
        });
      // Users are notified even while the database is unavailable.
      encounters
        .record(row)
        .catch((err: unknown) => log.error({ err }, 'failed to record an encounter'));
    },
    onSpaceNeeded: ({ mover, other, distance_feet }) => notify(other.user_id, mover, distance_feet),
    onUpdate: (user, before) => sightings.applyChange(user, before),
    onRemove: (user) => sightings.remove(user),
    offsetOf: dependencies.offsetOf,
    requestReport(userId, next_update_seconds) {
      events.send(userId, { type: 'cadence', next_update_seconds });
    },
  });

  const sightings = new Sightings(engine, {
    now: clock.now,
    idOf: dependencies.anonymousIdOf,
    mayShow: (...who) => strangers.mayShow(...who),
    // Several nodes may notice it.
    onEntry: (userId, user) => notifyOf(userId, user, { once: onceOf(`sighting ${user.user_id}`) }),
  });

  const cells = new FollowedCells({
    now: clock.now,
    subscribe: (cell) => subscribeToCell(bus, cell, receive),
    load,
  });

  function receive(message: ProximityMessage): void {
    if (message.kind === 'encounter')
      engine.restoreEncounter(...message.user_ids, toMonotonic(message.at));
    else if (message.kind === 'removal') {
      engine.ignoreUpTo(message.order);
      forget(message.user_id);
    } else
      receivePosition(message).catch((err: unknown) =>
        log.warn({ err }, 'failed to apply a position of another node'),
      );
  }

  async function receivePosition(message: PositionMessage): Promise<void> {
    const { user_id: userId, report, session, next_update_seconds } = message;
    const { isSharing, person } = await profiles.of(userId);
    if (!isSharing) return;
    // They went on to where this node does not look.
    if (!cells.has(cellOf(report))) return forget(userId);
    const received = { ...report, at: toMonotonic(message.at), session, next_update_seconds };
    engine.observe(person, received);
    const user = engine.user(userId);
    if (!user?.isForeign) return;
    cells.release(userId);
    sightings.observe(user, received);
  }

  /** Loads positions and recent encounters from the database. Later positions arrive over the bus. */
  async function load(inCells: string[]): Promise<void> {
    await bus.flush();
    for await (const rows of positions.inCells(inCells)) await restore(rows);
  }

  async function restore(rows: PositionRow[]): Promise<void> {
    const found = await profiles.read(rows.map((row) => row._id));
    for (const row of rows) {
      const profile = found.get(row._id);
      if (profile?.isSharing) restoreUser(row, profile.person);
      else await positions.remove(row._id);
    }
    for (const row of await encounters.recentAmong(rows.map((each) => each._id)))
      restoreEncounter(row);
  }

  function restoreUser(row: PositionRow, person: Person): void {
    const at = toMonotonic(row.at.getTime());
    const { session_id: session = '', is_ineligible = false } = row;
    const report = reportOf(row);
    if (!engine.user(row._id))
      engine.restore(person, report, at, { device: session, isIneligible: is_ineligible });
    else if (!is_ineligible)
      engine.observe(person, { ...report, at, session, next_update_seconds: POLL_SECONDS });
  }

  /** Returns the cell and the device of a user's last report. After a restart, or elsewhere, only the database knows it. */
  async function lastReport(userId: string): Promise<{ cell: string; device: string } | null> {
    const known = engine.user(userId);
    if (known) return { cell: cellOf(known), device: known.device };
    const [row] = await positions.ofUsers([userId]);
    return row ? { cell: row.cell, device: row.session_id ?? '' } : null;
  }

  /** Forgets a user in memory. */
  function forget(userId: string): void {
    engine.remove(userId);
    cells.release(userId);
  }

  async function remove(userId: string, order: ReportOrder = {}): Promise<void> {
    const last = await lastReport(userId);
    forget(userId);
    await positions.remove(userId);
    // Again, for a report that was in progress.
    engine.remove(userId);
    profiles.invalidate(userId);
    if (last) publishToCell(bus, last.cell, { kind: 'removal', user_id: userId, order });
  }

  async function sharingProfile(userId: string): Promise<Profile> {
    const profile = await profiles.of(userId);
    if (profile.isSharing) return profile;
    await remove(userId);
    throw new HttpError(409, 'Location sharing is off', { code: 'sharing_off' });
  }

  /** Applies a change of a user's card or blocks. */
  async function updateProfile(userId: string): Promise<void> {
    profiles.invalidate(userId);
    if (!(await lastReport(userId))) return;
    const { isSharing, person } = await profiles.of(userId);
    if (isSharing) engine.update(person);
    else await remove(userId);
  }

  async function updateAllProfiles(): Promise<void> {
    profiles.invalidateAll();
    const ids = Array.from(engine.users(), ({ person }) => person.user_id);
    for (let from = 0; from < ids.length; from += CHUNK) {
      const found = await profiles.read(ids.slice(from, from + CHUNK));
      for (const [userId, { isSharing, person }] of found)
        if (isSharing) engine.update(person);
        else if (engine.user(userId)) await remove(userId);
    }
  }

  /** Removes a position if its user may no longer call the API, or signed out on its device. */
  async function checkAccess(userId: string): Promise<void> {
    const last = await lastReport(userId);
    if (!last || (await dependencies.hasAccess(userId, last.device))) return;
    // Another device of theirs may have reported in the meantime.
    if ((engine.user(userId)?.device ?? last.device) === last.device) await remove(userId);
  }

  const handleSignal = async (signal: SignalRow | 'lost') => {
    if (signal === 'lost') await updateAllProfiles();
    else if (signal.topic === 'card' || signal.topic === 'blocks')
      await updateProfile(signal.user_id);
    // The other topics don't change who has access.
    else if (signal.topic === 'user' || signal.topic === 'session')
      await checkAccess(signal.user_id);
  };
  const stopListening = signals.listen((signal) => {
    handleSignal(signal).catch((err: unknown) => log.warn({ err }, 'failed to handle a signal'));
  });

  /** Forgets stale positions, and cells in which no one reports to this node any more. */
  function sweep(): void {
    const local = new Set(cells.users());
    const stale = engine.removeStale();
    for (const userId of stale) {
      forget(userId);
      profiles.invalidate(userId);
    }
    const unfollowed = new Set(cells.removeUnused());
    if (unfollowed.size > 0)
      for (const user of engine.users())
        if (unfollowed.has(cellOf(user))) forget(user.person.user_id);
    positions
      .removeStale(stale.filter((userId) => local.has(userId)))
      .catch((err: unknown) => log.warn({ err }, 'failed to remove stale positions'));
  }

  /** Notes encounters that other nodes recorded, and delivers them to the streams on this one, if the bus has not. */
  async function deliverRecorded(): Promise<void> {
    const rows = await encounters.since(new Date(clock.wall() - RECORDED_SINCE_MS));
    for (const row of rows) {
      restoreEncounter(row);
      for (const userId of [row.sender_user_id, row.receiver_user_id]) {
        const missed = events.count(userId) > 0 ? await missedEvent(userId, row) : null;
        if (missed) events.deliver(userId, missed.event, missed);
      }
    }
  }

  const restoreEncounter = ({
    sender_user_id,
    receiver_user_id,
    triggered_at,
  }: ProximityEventRow) =>
    engine.restoreEncounter(sender_user_id, receiver_user_id, toMonotonic(triggered_at.getTime()));

  async function missedEvent(userId: string, row: ProximityEventRow) {
    const otherId = row.sender_user_id === userId ? row.receiver_user_id : row.sender_user_id;
    const { isSharing, person } = await profiles.of(otherId);
    if (!isSharing || person.blocked.has(userId)) return null;
    const walker = withDogsAlong(person, await dogsAlongOf(otherId));
    return { event: encounterEvent(row, walker), ...sendOptions(row, otherId) };
  }

  /** Returns the ids of the dogs that came along with a user, who may report to another node; undefined if all did. */
  async function dogsAlongOf(userId: string): Promise<string[] | undefined> {
    const known = engine.user(userId);
    if (known) return known.dogsAlong;
    return (await positions.ofUsers([userId]))[0]?.dog_ids;
  }

  async function reloadWithoutBus(): Promise<void> {
    if (!bus.isConnected()) await load(cells.cells());
  }

  let isClosed = false;
  const timers = new Set<() => void>();
  /** Runs a task again and again, each time so long after the last one ended. */
  function repeat(milliseconds: number, name: string, run: () => void | Promise<void>): void {
    const cancel = clock.after(milliseconds, () => {
      timers.delete(cancel);
      Promise.resolve()
        .then(run)
        .catch((err: unknown) => log.warn({ err }, name))
        .finally(() => {
          if (!isClosed) repeat(milliseconds, name, run);
        });
    });
    timers.add(cancel);
  }
  repeat(SWEEP_MS, 'failed to forget stale positions', sweep);
  if (bus.isShared) {
    repeat(RECORDED_MS, 'failed to deliver recorded encounters', deliverRecorded);
    repeat(WITHOUT_BUS_MS, 'failed to load positions without the bus', reloadWithoutBus);
  }
  const stopReloading = bus.onReconnect(() => {
    load(cells.cells()).catch((err: unknown) => log.warn({ err }, 'failed to load positions'));
  });

  events.resumeFrom(async (userId, afterId) => {
    const rows = await encounters.after(userId, afterId);
    const missed = await Promise.all(rows.map((row) => missedEvent(userId, row)));
    return missed.flatMap((each) => each ?? []);
  });

  return {
    async report({ user: { _id: userId }, session }, report) {
      const cell = cellOf(report);
      const loading = cells.follow(userId, cell);
      if (loading) await loading;
      // Another node may have received their last report, elsewhere.
      if (!engine.user(userId)) await restore(await positions.ofUsers([userId]));
      await sharingProfile(userId);
      const before = engine.user(userId);
      const oldCell = before && cellOf(before);
      const at = clock.wall();
      const isUsed = engine.usesPosition(userId, report, session._id);
      if (isUsed) await positions.put(userId, { report, at: new Date(at), sessionId: session._id });
      // Checked again: sharing may have been switched off in the meantime.
      const { person } = await sharingProfile(userId);
      const engineAnswer = engine.report(person, report, session._id);
      let answer = sightings.apply(userId, report, engineAnswer);
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
        publishToCell(bus, cell, message);
        if (oldCell && oldCell !== cell) publishToCell(bus, oldCell, message);
      }
      // Users whom this account was not shown before count against its budget first.
      const hasNew = await strangers.settle().catch((err: unknown) => {
        // Strangers beyond 100 ft are not shown then. The warning must not fail.
        log.warn({ err }, 'failed to count strangers');
        return false;
      });
      if (hasNew) answer = sightings.apply(userId, report, engineAnswer);
      return answer;
    },
    async leave({ user, session }, order) {
      engine.ignoreUpTo(order);
      const device = (await lastReport(user._id))?.device ?? '';
      if (device === '' || device === session._id) await remove(user._id, order);
    },
    remove: (userId) => remove(userId),
    *positions() {
      const fresh = clock.now() - STALE_SECONDS * 1000;
      for (const { person, reportedAt, latitude, longitude, isForeign } of engine.users())
        if (reportedAt > fresh && !isForeign) yield { userId: person.user_id, latitude, longitude };
    },
    async positionsOf(userIds) {
      const rows = await positions.ofUsers(userIds);
      return rows.map(({ _id: userId, location }) => {
        const [longitude, latitude] = location.coordinates;
        return { userId, latitude, longitude };
      });
    },
    close() {
      isClosed = true;
      for (const cancel of timers) cancel();
      stopListening();
      stopReloading();
      cells.close();
    },
  };
}
