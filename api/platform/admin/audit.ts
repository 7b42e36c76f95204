import type { Db } from 'mongodb';
import { newId } from '#shared/ids.ts';
import type { UserRow } from '#shared/server/collections.ts';
import { DAY_MS } from '#shared/time.ts';
import { deleteDue } from '../retention.ts';
import type { AuditRow, AuditLog } from './collections.ts';

/** As long as reports and their evidence, so that they can be compared. */
const RETENTION_DAYS = 2 * 365;

/** Deletes expired entries; nothing else deletes any. */
export const runAuditJob = (db: Db): Promise<void> =>
  deleteDue(db.collection<AuditRow>('audit_log'), {
    at: { $lt: new Date(Date.now() - RETENTION_DAYS * DAY_MS) },
  });

/** An admin action that is about to run. */
export interface Act {
  /** The admin. */
  caller: { user: Pick<UserRow, '_id'> };
  /** Subject and action, such as `access-code.update`. */
  act: `${string}.${string}`;
  subject_id: string;
  /** The changed values; null before a creation and after a deletion. */
  before: object | null;
  after: object | null;
  reason?: string | null;
}

/**
 * Runs an admin action. It is recorded first, so that nothing is done without an entry; a failure is recorded, too.
 * @throws the error of `change`
 */
export type Audit = <T>(act: Act, change: () => Promise<T>) => Promise<T>;

/** Records actions in an append-only log. */
export function openAudit(log: AuditLog): Audit {
  return async ({ caller, act, subject_id, before, after, reason = null }, change) => {
    const row: AuditRow = {
      _id: newId(),
      at: new Date(),
      admin_user_id: caller.user._id,
      act,
      subject_kind: act.slice(0, act.indexOf('.')),
      subject_id,
      before: before && { ...before },
      after: after && { ...after },
      reason,
      voids: null,
    };
    await log.insertOne(row);
    try {
      return await change();
    } catch (error) {
      await log.insertOne({ ...row, _id: newId(), at: new Date(), voids: row._id });
      throw error;
    }
  };
}
