import type { ServerEvent } from '#shared/events/contract.ts';
import type { LocationAnswer, PositionReport, ReportOrder } from '#shared/proximity/contract.ts';
import type { Place } from '#shared/place.ts';
import { STALE_SECONDS } from '#shared/proximity/rules.ts';
import { mayPass, type SignalRow } from '#shared/collections.ts';
import { liveSessions } from '#shared/session/rules.ts';
import { eventId } from '../events/event-id.ts';
import { Refusal } from '../http/http-error.ts';
import type { Caller } from '../session-cache.ts';
import type { Services } from '../services.ts';
import { staysAside } from './aside.ts';
import { createOffsets } from './coarse-location.ts';
import { Encounters } from './encounters.ts';
import { asNearby, type Person } from './live.ts';
import type { Meetings, ProximityEventRow } from './meetings.ts';
import { OwnRadius } from './own-radius.ts';
import { openPositions } from './positions.ts';
import { knowSharers, type Sharer } from './sharers.ts';
import type { StrangerBudget } from './stranger-budget.ts';

/** The one who looks out for everybody: positions on disk, the engine in memory, and who is told. */
export interface Lookout {
  /**
   * Takes a position. Written before anything is answered from it, so that of two who report at once
   * one sees the other.
   * @throws Refusal 409 when this person's sharing is off
   */
  report(caller: Caller, report: PositionReport): Promise<LocationAnswer>;
  /** This person shares no position any more; what another of their devices reported last stands. */
  leave(caller: Caller, order: ReportOrder): Promise<void>;
  /** Whichever device it is from. */
  drop(userId: string): Promise<void>;
  /** Everybody who shares a position now, here in the api. */
  everybody(): Iterable<Readonly<Place & { userId: string }>>;
}

/**
 * The engine's time, in milliseconds from no matter when: a clock that is set back must not keep people here who have long gone, nor
 * forbid to tell of them.
 */
const now = () => performance.now();
/** In the engine's time, when something was by the clock on the wall; by one that was set back since, now. */
const inEngineTime = (at: Date): number => now() - Math.max(0, Date.now() - at.getTime());

const SWEEP_MS = 30_000;
const CHUNK = 1000;

/** Everybody who shares is kept in memory, and read again at the start. */
export function keepLookout(
  services: Services,
  meetings: Meetings,
  strangers: StrangerBudget,
): Lookout {
  const { database, events, signals, log } = services;
  const offsetsOf = createOffsets(services.env.SYNC_SECRET);
  const positions = openPositions(database);
  const sharers = knowSharers(database, signals);

  /** Tells of somebody without a meeting, which would be recorded. */
  const tellOf = (userId: string, other: Person, distance_feet: number) =>
    events.tell(userId, {
      type: 'encounter',
      id: eventId(Date.now()),
      triggered_at: new Date().toISOString(),
      user: asNearby(other, distance_feet),
    });

  const encounters = new Encounters({
    now,
    after(milliseconds, run) {
      const timer = setTimeout(run, milliseconds).unref();
      return () => clearTimeout(timer);
    },
    met({ mover, other, distance_feet }) {
      const row = meetings.row(mover.user_id, other.user_id, distance_feet);
      events.tell(mover.user_id, encounterEvent(row, other), row._id);
      events.tell(other.user_id, encounterEvent(row, mover), row._id);
      // People are told even while the database is away.
      meetings
        .record(row)
        .catch((err: unknown) => log.error({ err }, 'a meeting was not recorded'));
    },
    turnedWary: ({ mover, other, distance_feet }) => tellOf(other.user_id, mover, distance_feet),
    offsetOf: (userId) => offsetsOf(userId, Date.now),
    hasten(userId, next_update_seconds) {
      events.tell(userId, { type: 'cadence', next_update_seconds });
    },
  });

  const ownRadius = new OwnRadius(encounters, {
    noticed: tellOf,
    mayShow: (watcherId, otherId) => strangers.mayShow(watcherId, otherId),
  });

  /** Who was here before a restart, and who had been told of whom. */
  async function restore(): Promise<void> {
    await meetings.prepare();
    for await (const rows of positions.live()) {
      const found = await sharers.read(rows.map((row) => row._id));
      for (const { _id, location, at, session_id: from, is_aside: isAside } of rows) {
        const sharer = found.get(_id);
        const [longitude, latitude] = location.coordinates;
        const place = { latitude, longitude };
        if (sharer?.isSharing)
          encounters.restore(sharer.person, place, inEngineTime(at), { from, isAside });
        else await positions.remove(_id);
      }
    }
    for (const row of await meetings.recent())
      encounters.restoreMeeting(
        row.sender_user_id,
        row.receiver_user_id,
        inEngineTime(row.triggered_at),
      );
    log.info({ positions: encounters.size }, 'looking out');
  }

  let restored: Promise<void> | null = null;
  /** Reports wait for it; when it fails, the next one tries again. */
  const ready = () =>
    (restored ??= restore().catch((error: unknown) => {
      restored = null;
      throw error;
    }));
  ready().catch((err: unknown) => log.error({ err }, 'the positions could not be read'));

  async function drop(userId: string): Promise<void> {
    ownRadius.drop(userId);
    encounters.drop(userId);
    await positions.remove(userId);
    // Once more, for a report that was under way.
    encounters.drop(userId);
    sharers.forget(userId);
  }

  async function sharing(userId: string): Promise<Sharer> {
    const sharer = await sharers.of(userId);
    if (sharer.isSharing) return sharer;
    await drop(userId);
    throw new Refusal(409, 'Location sharing is off', { code: 'sharing_off' });
  }

  /** The card or the blocks of somebody changed. */
  async function refresh(userId: string): Promise<void> {
    sharers.forget(userId);
    if (!encounters.live(userId)) return;
    const { isSharing, person } = await sharers.of(userId);
    if (isSharing) encounters.refresh(person);
    else await drop(userId);
  }

  /** @param from the session whose device somebody's position is from; '' where that is not known */
  async function mayShare(userId: string, from: string): Promise<boolean> {
    const today = new Date();
    const user = await database.users.findOne({ _id: userId });
    if (!user || !mayPass(user, today)) return false;
    const session = { user_id: userId, ...liveSessions(user, today), ...(from && { _id: from }) };
    return (await database.sessions.findOne(session)) !== null;
  }

  /** Whoever may not call any more is not shown any more: by the device that they signed out on. */
  async function recheck(userId: string): Promise<void> {
    const from = encounters.live(userId)?.from;
    if (from === undefined || (await mayShare(userId, from))) return;
    // Another device of theirs may have reported meanwhile.
    if (encounters.live(userId)?.from === from) await drop(userId);
  }

  async function refreshAll(): Promise<void> {
    sharers.forgetAll();
    await ready();
    const ids = Array.from(encounters.everybody(), ({ person }) => person.user_id);
    for (let from = 0; from < ids.length; from += CHUNK) {
      const found = await sharers.read(ids.slice(from, from + CHUNK));
      for (const [userId, { isSharing, person }] of found)
        if (isSharing) encounters.refresh(person);
        else if (encounters.live(userId)) await drop(userId);
    }
  }

  const heed = async (signal: SignalRow | 'lost') => {
    if (signal === 'lost') await refreshAll();
    else if (signal.topic === 'card' || signal.topic === 'blocks') await refresh(signal.user_id);
    else await recheck(signal.user_id);
  };
  const unheed = signals.listen((signal) => {
    heed(signal).catch((err: unknown) => log.warn({ err }, 'a signal was not followed'));
  });

  const sweep = setInterval(() => {
    const stale = encounters.dropStale();
    for (const userId of stale) {
      ownRadius.drop(userId);
      sharers.forget(userId);
    }
    positions
      .removeStale(stale)
      .catch((err: unknown) => log.warn({ err }, 'stale positions were not removed'));
  }, SWEEP_MS);
  services.onClose(() => {
    clearInterval(sweep);
    unheed();
  });

  // Of the last half minute: what is older is over.
  events.resumeFrom(async (userId, afterId) => {
    const rows = await meetings.after(userId, afterId);
    const missed = rows.map(async (row) => {
      const otherId = row.sender_user_id === userId ? row.receiver_user_id : row.sender_user_id;
      const { isSharing, person } = await sharers.of(otherId);
      if (!isSharing || person.blocked.has(userId)) return [];
      return [{ id: row._id, event: encounterEvent(row, person) }];
    });
    return (await Promise.all(missed)).flat();
  });

  return {
    async report({ user: { _id: userId }, session }, report) {
      await ready();
      await sharing(userId);
      if (encounters.moves(userId, report, session._id))
        await positions.put(userId, {
          place: report,
          at: new Date(),
          sessionId: session._id,
          isAside: staysAside(report),
        });
      // Asked again: it may have been switched off meanwhile.
      const { person } = await sharing(userId);
      const engineAnswer = encounters.report(person, report, session._id);
      const answer = ownRadius.fit(person, report, engineAnswer);
      // People whom this account was not shown before count against its budget first.
      const settled = await strangers.settle().catch((err: unknown) => {
        // Nobody beyond 100 ft is shown then; the warning does not wait for it.
        log.warn({ err }, 'strangers were not counted');
        return false;
      });
      return settled ? ownRadius.fit(person, report, engineAnswer) : answer;
    },
    async leave({ user, session }, order) {
      await ready();
      encounters.outdate(order);
      const from = encounters.live(user._id)?.from ?? '';
      if (from === '' || from === session._id) await drop(user._id);
    },
    drop,
    *everybody() {
      const fresh = now() - STALE_SECONDS * 1000;
      for (const { person, reportedAt, latitude, longitude } of encounters.everybody())
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
