import { randomUUID } from 'node:crypto';
import type { Db } from 'mongodb';
import { DAY_MS } from '#shared/time.ts';
import type { Caller } from '../session-cache.ts';
import { deleteDue } from '../retention.ts';
import type { AuditRow, AuditLog } from './collections.ts';

/** As long as reports and their evidence, which it must be possible to compare it with. */
const KEPT_DAYS = 2 * 365;

/** Deletes the entries that are two years old: the only way in which any of them goes. */
export const sweepAudit = (db: Db): Promise<void> =>
  deleteDue(db.collection<AuditRow>('audit_log'), {
    at: { $lt: new Date(Date.now() - KEPT_DAYS * DAY_MS) },
  });

/** Something that an admin is about to do. */
export interface Act {
  /** Who does it. */
  caller: Pick<Caller, 'user'>;
  /** The subject's kind and the deed, such as `access-code.update`. */
  act: `${string}.${string}`;
  subject_id: string;
  /** What it changes, as it is and as it will be; null where there is, or will be, nothing. */
  before: object | null;
  after: object | null;
  reason?: string | null;
}

/**
 * Does something in an admin's name. It is noted first, so that nothing is ever done without a note, whatever crashes;
 * when it fails, that is noted too.
 * @throws whatever `change` throws
 */
export type Audit = <T>(act: Act, change: () => Promise<T>) => Promise<T>;

/** Notes acts in this log, which is only ever added to. */
export function openAudit(log: AuditLog): Audit {
  return async ({ caller, act, subject_id, before, after, reason = null }, change) => {
    const row: AuditRow = {
      _id: randomUUID(),
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
      await log.insertOne({ ...row, _id: randomUUID(), at: new Date(), voids: row._id });
      throw error;
    }
  };
}
