import type { Db } from 'mongodb';
import { batchCalls } from '#shared/server/batches.ts';
import { tokenHash, type SessionRow, type UserRow } from '#shared/server/collections.ts';
import type { Signals } from '#shared/server/signals.ts';
import { LAST_USE_HOURS, isWithinLifetime, sessionExpiry } from '#shared/session/rules.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/time.ts';
import { NOT_DELETED, sessions as sessionRows, users } from './session/collections.ts';

/** The signed-in user of a call. */
export interface Caller {
  user: UserRow;
  session: SessionRow;
}

export interface SessionCache {
  /**
   * Returns the signed-in user of a session cookie; null when the session is unknown, expired, or revoked. Answers from
   * memory while signals arrive, so that a revoked session is rejected within a second without a query per call.
   */
  callerOf(token: string): Promise<Caller | null>;
  /** Returns whether an invalid cookie belonged to a deleted account. */
  wasDeleted(token: string): Promise<boolean>;
}

/**
 * Signals cover what the servers change. Rereading covers rows edited by hand, and extends sessions in daily use.
 */
const REREAD_MS = MINUTE_MS;
const CACHED_MAX = 200_000;
/** The shortest time between two reads: many walkers may need theirs at the same moment. */
const GATHER_MS = 5;

const isLive = ({ session, user }: Caller, now: Date) => isWithinLifetime(session, user, now);

interface Entry {
  caller: Caller;
  /** In monotonic milliseconds. */
  readAt: number;
}

/** Caches callers by session, up to a limit; `close` stops listening to signals. */
export function createSessionCache(db: Db, signals: Signals): SessionCache & { close(): void } {
  const bySession = new Map<string, Entry>();
  const byUser = new Map<string, Set<string>>();
  /** Counts invalidations: a row that was read before one may be stale. */
  let drops = 0;
  /** Reads that are under way, by session: a page that opens makes several calls at once. */
  const reading = new Map<string, { before: number; caller: Promise<Caller | null> }>();

  const stop = signals.listen((signal) => {
    if (signal === 'lost') {
      drops++;
      bySession.clear();
      byUser.clear();
    } else if (signal.topic === 'user' || signal.topic === 'session') {
      drops++;
      for (const id of byUser.get(signal.user_id) ?? []) bySession.delete(id);
      byUser.delete(signal.user_id);
    }
  });

  function keep(id: string, caller: Caller): void {
    if (bySession.size >= CACHED_MAX) {
      bySession.clear();
      byUser.clear();
    }
    bySession.set(id, { caller, readAt: performance.now() });
    const sessions = byUser.get(caller.user._id) ?? new Set();
    byUser.set(caller.user._id, sessions.add(id));
  }

  const read = batchCalls(
    async (ids: string[]): Promise<Map<string, Caller>> => {
      const found = await sessionRows(db)
        .aggregate<SessionRow & { users: UserRow[] }>([
          { $match: { _id: { $in: ids }, revoked_at: null } },
          {
            $lookup: {
              from: users(db).collectionName,
              localField: 'user_id',
              foreignField: '_id',
              pipeline: [{ $match: NOT_DELETED }],
              as: 'users',
            },
          },
        ])
        .toArray();
      const callers = new Map<string, Caller>();
      for (const {
        users: [user],
        ...session
      } of found)
        if (user) callers.set(session._id, { user, session });
      return callers;
    },
    { pauseMs: GATHER_MS, holdsUpMs: 0, isWholeTurn: true },
  );

  /** Extends a session in use, up to its absolute lifetime; the last use is stored once an hour. */
  async function prolong({ session, user }: Caller, now: Date): Promise<Caller | null> {
    if (now.getTime() - session.last_used_at.getTime() < LAST_USE_HOURS * HOUR_MS)
      return { session, user };
    const longer = await sessionRows(db).findOneAndUpdate(
      { _id: session._id, revoked_at: null },
      {
        $set: {
          last_used_at: now,
          expires_at: sessionExpiry(session.created_at, user, now),
        },
      },
      { returnDocument: 'after' },
    );
    return longer && { session: longer, user };
  }

  async function readAndKeep(id: string, now: Date): Promise<Caller | null> {
    const before = drops;
    const found = (await read(id)).get(id);
    const caller = found && isLive(found, now) ? await prolong(found, now) : null;
    if (caller && before === drops) keep(id, caller);
    return caller;
  }

  return {
    async callerOf(token) {
      const id = tokenHash(token);
      const now = new Date();
      const known = bySession.get(id);
      if (known && performance.now() - known.readAt < REREAD_MS && signals.isFresh())
        return isLive(known.caller, now) ? known.caller : null;
      const other = reading.get(id);
      if (other?.before === drops && signals.isFresh()) return other.caller;
      const own = { before: drops, caller: readAndKeep(id, now) };
      reading.set(id, own);
      return own.caller.finally(() => reading.get(id) === own && reading.delete(id));
    },
    async wasDeleted(token) {
      const row = { _id: tokenHash(token), account_deleted: true as const };
      return (await sessionRows(db).findOne(row, { projection: { _id: 1 } })) !== null;
    },
    close: stop,
  };
}
