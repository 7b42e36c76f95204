import type { Filter } from 'mongodb';
import type { SessionRow } from '#shared/server/collections.ts';
import { pushSubscriptions } from './push/collections.ts';
import type { Services } from './services.ts';
import { sessions as sessionRows } from './session/collections.ts';

/**
 * Ends sessions of one user on every server: calls are refused, event streams and sync sockets are closed. The sync
 * server is notified directly, and by the signal in case it does not answer.
 * @param which of the user's sessions
 * @returns how many there were
 */
export async function endSessions(
  { db, signals, documents, log }: Services,
  userId: string,
  which: Filter<SessionRow>,
): Promise<number> {
  const mine = { ...which, user_id: userId, revoked_at: null };
  const sessions = await sessionRows(db)
    .find(mine, { projection: { _id: 1 } })
    .toArray();
  const ids = sessions.map(({ _id }) => _id);
  const { modifiedCount } = await sessionRows(db).updateMany(
    { _id: { $in: ids }, revoked_at: null },
    { $set: { revoked_at: new Date() } },
  );
  await pushSubscriptions(db).deleteMany({ _id: { $in: ids } });
  // Also where another call was faster: its signal may not be here yet.
  await signals.send('session', userId);
  for (const session_id of ids)
    documents
      .disconnect({ session_id })
      .catch((err: unknown) => log.warn({ err }, 'could not notify the sync server of a logout'));
  return modifiedCount;
}
