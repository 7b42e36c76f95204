import type { Bus } from '#shared/bus/bus.ts';
import { POLL_SECONDS } from '#shared/proximity/rules.ts';
import { batchCalls, READ_HOLDS_UP_MS } from '#shared/server/batches.ts';
import { databaseTrouble } from '#shared/server/database-errors.ts';
import type { Log } from '#shared/server/log.ts';
import type { EventStreams, MissedEvent } from '../../../platform/events/event-streams.ts';
import type { PositionRow, ProximityEventRow } from '../collections.ts';
import { encounterEvent, sendOptions } from '../encounter-events.ts';
import { type Person, withDogsAlong } from '../engine/active-user.ts';
import type { EncounterEngine } from '../engine/encounter-engine.ts';
import type { Sightings } from '../engine/sightings.ts';
import { type Clock, repeat } from '../repeat.ts';
import type { EncounterStore } from '../storage/encounter-store.ts';
import { type PositionStore, reportOf } from '../storage/position-store.ts';
import type { ProfileCache } from '../storage/profile-cache.ts';
import { cellOf, FollowedCells } from './followed-cells.ts';
import {
  type PositionMessage,
  type ProximityMessage,
  publishToCell,
  subscribeToCell,
} from './position-bus.ts';

export interface PositionExchangeDependencies {
  clock: Clock;
  bus: Bus;
  events: Pick<EventStreams, 'deliver' | 'count' | 'resumeFrom'>;
  positions: PositionStore;
  profiles: ProfileCache;
  encounters: Pick<EncounterStore, 'after' | 'recentAmong' | 'since'>;
  log: Pick<Log, 'warn'>;
}

/** How often encounters that other nodes recorded are looked for in the database, in case the bus lost their events. */
const RECORDED_MS = 2_000;
/** How far back they are looked for: longer than a node and its database need to record one. */
const RECORDED_SINCE_MS = 10_000;
/** How often the followed cells are loaded again while the bus is disconnected. */
const WITHOUT_BUS_MS = 1_000;

/** Joins loads that are asked for at about the same time. One that fails fails alone, and one that hangs holds up no later one. */
function together(load: (ids: string[]) => Promise<void>): (ids: string[]) => Promise<void> {
  const joined = batchCalls((lists: string[][]) => load(lists.flat()), {
    holdsUpMs: READ_HOLDS_UP_MS,
  });
  return (ids) =>
    joined(ids).catch((error: unknown) => {
      if (databaseTrouble(error) === 'failover') throw error;
      return load(ids);
    });
}

/**
 * Tells an engine who shares a position in the cells around those who report to this node: by the bus and, where that fails, from the
 * database. With one node, the bus carries nothing and the database says what a restart lost.
 */
export class PositionExchange {
  readonly #dependencies: PositionExchangeDependencies;
  readonly #engine: EncounterEngine;
  readonly #sightings: Pick<Sightings, 'observe'>;
  readonly #cells: FollowedCells;
  // Many set out together, above all after a restart.
  readonly #loadCells = together((cells: string[]) => this.#load(cells));
  readonly #loadUsers = together((userIds: string[]) =>
    this.#restoring(async (restore) =>
      restore(await this.#dependencies.positions.ofUsers(userIds)),
    ),
  );
  /** For each load in progress, who was forgotten since it began: their rows may have been read before they were removed. */
  readonly #forgottenDuring = new Set<Set<string>>();
  readonly #stops: (() => void)[];

  constructor(
    dependencies: PositionExchangeDependencies,
    engine: EncounterEngine,
    sightings: Pick<Sightings, 'observe'>,
  ) {
    const { bus, clock, events, encounters, log } = dependencies;
    this.#dependencies = dependencies;
    this.#engine = engine;
    this.#sightings = sightings;
    this.#cells = new FollowedCells({
      now: clock.now,
      subscribe: (cell) => subscribeToCell(bus, cell, (message) => this.#receive(message)),
      load: (cells) => this.#loadCells(cells),
    });
    const reload = () => this.#load(this.#cells.cells());
    const failed = (message: string) => (err: unknown) => log.warn({ err }, message);
    this.#stops = [
      repeat(
        clock,
        RECORDED_MS,
        () => this.#deliverRecorded(),
        failed('failed to deliver recorded encounters'),
      ),
      repeat(
        clock,
        WITHOUT_BUS_MS,
        () => (bus.isConnected() ? undefined : reload()),
        failed('failed to load positions without the bus'),
      ),
      bus.onReconnect(() => void reload().catch(failed('failed to load positions'))),
      () => this.#cells.close(),
    ];
    events.resumeFrom(async (userId, afterId) => {
      const rows = await encounters.after(userId, afterId);
      const missed = await Promise.all(rows.map((row) => this.#missedEvent(userId, row)));
      return missed.flatMap((each) => each ?? []);
    });
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  /** Returns the users who report to this node. */
  localUsers(): Iterable<string> {
    return this.#cells.users();
  }

  /** Resolves when everyone around a user who reports to this node is known, and the user's last report, wherever it went. */
  async follow(userId: string, cell: string): Promise<void> {
    const loading = this.#cells.follow(userId, cell);
    if (loading) await loading;
    if (!this.#engine.user(userId)) await this.#loadUsers([userId]);
  }

  publish(cell: string, message: ProximityMessage): void {
    publishToCell(this.#dependencies.bus, cell, message);
  }

  /** Forgets a user in memory, also for loads in progress. */
  forget(userId: string): void {
    for (const forgotten of this.#forgottenDuring) forgotten.add(userId);
    this.#engine.remove(userId);
    this.#cells.release(userId);
  }

  /** Forgets cells in which no one reports to this node any more, and who is in them. */
  forgetUnfollowed(): void {
    const unfollowed = new Set(this.#cells.removeUnused());
    if (unfollowed.size > 0)
      for (const user of this.#engine.users())
        if (unfollowed.has(cellOf(user))) this.forget(user.person.user_id);
  }

  #receive(message: ProximityMessage): void {
    if (message.kind === 'encounter')
      this.#engine.restoreEncounter(...message.user_ids, this.#toMonotonic(message.at));
    else if (message.kind === 'removal') {
      this.#engine.ignoreUpTo(message.order);
      this.forget(message.user_id);
    } else
      this.#receivePosition(message).catch((err: unknown) =>
        this.#dependencies.log.warn({ err }, 'failed to apply a position of another node'),
      );
  }

  async #receivePosition(message: PositionMessage): Promise<void> {
    const { user_id: userId, report, session, next_update_seconds } = message;
    const { isSharing, person } = await this.#dependencies.profiles.of(userId);
    if (!isSharing) return;
    // They went on to where this node does not look.
    if (!this.#cells.has(cellOf(report))) return this.forget(userId);
    const at = this.#toMonotonic(message.at);
    const received = { ...report, at, session, next_update_seconds };
    this.#engine.observe(person, received);
    const user = this.#engine.user(userId);
    if (!user?.isForeign) return;
    this.#cells.release(userId);
    this.#sightings.observe(user, received);
  }

  /** Loads positions and recent encounters from the database. Later positions arrive over the bus. */
  async #load(cells: string[]): Promise<void> {
    const { bus, positions } = this.#dependencies;
    await bus.flush();
    await this.#restoring(async (restore) => {
      for await (const rows of positions.inCells(cells)) await restore(rows);
    });
  }

  /** @param load reads rows and restores them */
  async #restoring(
    load: (restore: (rows: PositionRow[]) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const forgotten = new Set<string>();
    this.#forgottenDuring.add(forgotten);
    try {
      await load((rows) => this.#restore(rows, forgotten));
    } finally {
      this.#forgottenDuring.delete(forgotten);
    }
  }

  async #restore(rows: PositionRow[], forgotten: ReadonlySet<string>): Promise<void> {
    if (rows.length === 0) return;
    const { profiles, positions, encounters } = this.#dependencies;
    const found = await profiles.read(rows.map((row) => row._id));
    const removals: Promise<void>[] = [];
    for (const row of rows) {
      const profile = found.get(row._id);
      if (forgotten.has(row._id)) continue;
      if (profile?.isSharing) this.#restoreUser(row, profile.person);
      else removals.push(positions.remove(row._id));
    }
    await Promise.all(removals);
    for (const row of await encounters.recentAmong(rows.map((each) => each._id)))
      this.#restoreEncounter(row);
  }

  #restoreUser(row: PositionRow, person: Person): void {
    const at = this.#toMonotonic(row.at.getTime());
    const { session_id: session = '', is_ineligible = false } = row;
    const report = reportOf(row);
    if (!this.#engine.user(row._id))
      this.#engine.restore(person, report, at, { device: session, isIneligible: is_ineligible });
    else if (!is_ineligible)
      this.#engine.observe(person, { ...report, at, session, next_update_seconds: POLL_SECONDS });
  }

  #restoreEncounter({ sender_user_id, receiver_user_id, triggered_at }: ProximityEventRow): void {
    const at = this.#toMonotonic(triggered_at.getTime());
    this.#engine.restoreEncounter(sender_user_id, receiver_user_id, at);
  }

  /** Notes encounters that nodes recorded, and delivers them to the streams on this one, if the bus has not. */
  async #deliverRecorded(): Promise<void> {
    const { clock, encounters, events } = this.#dependencies;
    const rows = await encounters.since(new Date(clock.wall() - RECORDED_SINCE_MS));
    for (const row of rows) {
      this.#restoreEncounter(row);
      for (const userId of [row.sender_user_id, row.receiver_user_id]) {
        const missed = events.count(userId) > 0 ? await this.#missedEvent(userId, row) : null;
        if (missed) events.deliver(userId, missed.event, missed);
      }
    }
  }

  async #missedEvent(userId: string, row: ProximityEventRow): Promise<MissedEvent | null> {
    const otherId = row.sender_user_id === userId ? row.receiver_user_id : row.sender_user_id;
    const { isSharing, person } = await this.#dependencies.profiles.of(otherId);
    if (!isSharing || person.blocked.has(userId)) return null;
    const walker = withDogsAlong(person, await this.#dogsAlongOf(otherId));
    return { event: encounterEvent(row, walker), ...sendOptions(row, otherId) };
  }

  /** Returns the ids of the dogs that came along with a user, who may report to another node; undefined if all did. */
  async #dogsAlongOf(userId: string): Promise<string[] | undefined> {
    const known = this.#engine.user(userId);
    if (known) return known.dogsAlong;
    return (await this.#dependencies.positions.ofUsers([userId]))[0]?.dog_ids;
  }

  /** Converts wall clock time to the monotonic clock; a time in the future counts as now. */
  #toMonotonic(at: number): number {
    const { clock } = this.#dependencies;
    return clock.now() - Math.max(0, clock.wall() - at);
  }
}
