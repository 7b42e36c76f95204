import { users, sessions } from '../session/collections.ts';
import type { ServerEvent } from '#shared/events/contract.ts';
import type { Place } from '#shared/place.ts';
import type { LocationAnswer, PositionReport, ReportOrder } from '#shared/proximity/contract.ts';
import { STALE_SECONDS } from '#shared/proximity/rules.ts';
import { mayPass, type SignalRow } from '#shared/server/collections.ts';
import { liveSessions } from '#shared/session/rules.ts';
import { eventId } from '../events/event-id.ts';
import type { Caller } from '../session-cache.ts';
import { HttpError } from '../http/http-error.ts';
import type { Services } from '../services.ts';
import type { ProximityEventRow } from './collections.ts';
import { asNearby, type Person } from './engine/active-user.ts';
import { createOffsets } from './engine/coarse-location.ts';
import { CustomRadius } from './engine/custom-radius.ts';
import { EncounterEngine, isIneligible } from './engine/encounter-engine.ts';
import type { EncounterStore } from './storage/encounter-store.ts';
import { createPositionStore } from './storage/position-store.ts';
import { createProfileCache, type Profile } from './storage/profile-cache.ts';
import type { StrangerBudget } from './storage/stranger-budget.ts';

/** Connects the engine in memory with the database and the events. */
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
  /** Returns the positions of all users who share one now. They must not leave the API. */
  positions(): Iterable<Readonly<Place & { userId: string }>>;
}

/** Milliseconds of a monotonic clock: changes of the wall clock must neither keep stale positions nor suppress warnings. */
const now = () => performance.now();
/** Converts wall clock time to that clock; a time in the future counts as now. */
const toMonotonic = (at: Date): number => now() - Math.max(0, Date.now() - at.getTime());

const SWEEP_MS = 30_000;
const CHUNK = 1000;

/** Creates the service. It keeps all who share a position in memory, and reads them from the database after a start. */
export function createProximityService(
  services: Services,
  encounters: EncounterStore,
  strangers: StrangerBudget,
): ProximityService {
  const { db, events, signals, log } = services;
  const offsetsOf = createOffsets(services.env.SYNC_SECRET);
  const positions = createPositionStore(db);
  const profiles = createProfileCache(db, signals);

  /** Sends an event that is not a new encounter and is not recorded. */
  const notify = (userId: string, other: Person, distance_feet: number) =>
    events.send(userId, {
      type: 'encounter',
      id: eventId(Date.now()),
      triggered_at: new Date().toISOString(),
      user: asNearby(other, distance_feet),
    });

  const engine = new EncounterEngine({
    now,
    after(milliseconds, run) {
      const timer = setTimeout(run, milliseconds).unref();
      return () => clearTimeout(timer);
    },
    onEncounter({ mover, other, distance_feet }) {
      const row = encounters.createRow(mover.user_id, other.user_id, distance_feet);
      events.send(mover.user_id, encounterEvent(row, other), row._id);
      events.send(other.user_id, encounterEvent(row, mover), row._id);
      // Users are notified even while the database is unavailable.
      encounters
        .record(row)
        .catch((err: unknown) => log.error({ err }, 'failed to record an encounter'));
    },
    onSpaceNeeded: ({ mover, other, distance_feet }) => notify(other.user_id, mover, distance_feet),
    offsetOf: (userId) => offsetsOf(userId, Date.now),
    requestReport(userId, next_update_seconds) {
      events.send(userId, { type: 'cadence', next_update_seconds });
    },
  });

  const customRadius = new CustomRadius(engine, {
    onEntry: notify,
    mayShow: (watcherId, otherId) => strangers.mayShow(watcherId, otherId),
  });

  /** Restores the positions and encounters from before a restart. */
  async function restore(): Promise<void> {
    for await (const rows of positions.current()) {
      const found = await profiles.read(rows.map((row) => row._id));
      for (const row of rows) {
        const profile = found.get(row._id);
        const [longitude, latitude] = row.location.coordinates;
        if (profile?.isSharing)
          engine.restore(profile.person, { latitude, longitude }, toMonotonic(row.at), {
            device: row.session_id,
            isIneligible: row.is_ineligible,
          });
        else await positions.remove(row._id);
      }
    }
    for (const row of await encounters.recent())
      engine.restoreEncounter(
        row.sender_user_id,
        row.receiver_user_id,
        toMonotonic(row.triggered_at),
      );
    log.info({ positions: engine.size }, 'positions restored');
  }

  let restored: Promise<void> | null = null;
  /** Resolves when the positions are restored. After a failure, the next report tries again. */
  const ready = () =>
    (restored ??= restore().catch((error: unknown) => {
      restored = null;
      throw error;
    }));
  ready().catch((err: unknown) => log.error({ err }, 'failed to restore positions'));

  async function remove(userId: string): Promise<void> {
    customRadius.remove(userId);
    engine.remove(userId);
    await positions.remove(userId);
    // Again, for a report that was in progress.
    engine.remove(userId);
    profiles.invalidate(userId);
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
    if (!engine.user(userId)) return;
    const { isSharing, person } = await profiles.of(userId);
    if (isSharing) engine.update(person);
    else await remove(userId);
  }

  async function updateAllProfiles(): Promise<void> {
    profiles.invalidateAll();
    await ready();
    const ids = Array.from(engine.users(), ({ person }) => person.user_id);
    for (let from = 0; from < ids.length; from += CHUNK) {
      const found = await profiles.read(ids.slice(from, from + CHUNK));
      for (const [userId, { isSharing, person }] of found)
        if (isSharing) engine.update(person);
        else if (engine.user(userId)) await remove(userId);
    }
  }

  /** @param sessionId the session of the device that sent the position; '' if unknown */
  async function hasAccess(userId: string, sessionId: string): Promise<boolean> {
    const today = new Date();
    const user = await users(db).findOne({ _id: userId });
    if (!user || !mayPass(user, today)) return false;
    const session = {
      user_id: userId,
      ...liveSessions(user, today),
      ...(sessionId && { _id: sessionId }),
    };
    return (await sessions(db).findOne(session)) !== null;
  }

  /** Removes a position if its user may no longer call the API, or signed out on its device. */
  async function checkAccess(userId: string): Promise<void> {
    const device = engine.user(userId)?.device;
    if (device === undefined || (await hasAccess(userId, device))) return;
    // Another device of theirs may have reported in the meantime.
    if (engine.user(userId)?.device === device) await remove(userId);
  }

  const handleSignal = async (signal: SignalRow | 'lost') => {
    if (signal === 'lost') await updateAllProfiles();
    else if (signal.topic === 'card' || signal.topic === 'blocks')
      await updateProfile(signal.user_id);
    else await checkAccess(signal.user_id);
  };
  const stopListening = signals.listen((signal) => {
    handleSignal(signal).catch((err: unknown) => log.warn({ err }, 'failed to handle a signal'));
  });

  const sweep = setInterval(() => {
    const stale = engine.removeStale();
    for (const userId of stale) {
      customRadius.remove(userId);
      profiles.invalidate(userId);
    }
    positions
      .removeStale(stale)
      .catch((err: unknown) => log.warn({ err }, 'failed to remove stale positions'));
  }, SWEEP_MS);
  services.onClose(() => {
    clearInterval(sweep);
    stopListening();
  });

  events.resumeFrom(async (userId, afterId) => {
    const rows = await encounters.after(userId, afterId);
    const missed = rows.map(async (row) => {
      const otherId = row.sender_user_id === userId ? row.receiver_user_id : row.sender_user_id;
      const { isSharing, person } = await profiles.of(otherId);
      if (!isSharing || person.blocked.has(userId)) return [];
      return [{ id: row._id, event: encounterEvent(row, person) }];
    });
    return (await Promise.all(missed)).flat();
  });

  return {
    async report({ user: { _id: userId }, session }, report) {
      await ready();
      await sharingProfile(userId);
      if (engine.usesPosition(userId, report, session._id))
        await positions.put(userId, {
          place: report,
          at: new Date(),
          sessionId: session._id,
          isIneligible: isIneligible(report),
        });
      // Checked again: sharing may have been switched off in the meantime.
      const { person } = await sharingProfile(userId);
      const engineAnswer = engine.report(person, report, session._id);
      const answer = customRadius.apply(person, report, engineAnswer);
      // Users whom this account was not shown before count against its budget first.
      const hasNew = await strangers.settle().catch((err: unknown) => {
        // Strangers beyond 100 ft are not shown then. The warning must not fail.
        log.warn({ err }, 'failed to count strangers');
        return false;
      });
      return hasNew ? customRadius.apply(person, report, engineAnswer) : answer;
    },
    async leave({ user, session }, order) {
      await ready();
      engine.ignoreUpTo(order);
      const device = engine.user(user._id)?.device ?? '';
      if (device === '' || device === session._id) await remove(user._id);
    },
    remove,
    *positions() {
      const fresh = now() - STALE_SECONDS * 1000;
      for (const { person, reportedAt, latitude, longitude } of engine.users())
        if (reportedAt > fresh) yield { userId: person.user_id, latitude, longitude };
    },
  };
}

const encounterEvent = (row: ProximityEventRow, other: Person): ServerEvent => ({
  type: 'encounter',
  id: row._id,
  triggered_at: row.triggered_at.toISOString(),
  user: asNearby(other, row.distance_feet),
});
