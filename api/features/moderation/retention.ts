import { DAY_MS } from '#shared/time.ts';
import { deleteDue } from '../../platform/retention.ts';
import type { Services } from '../../platform/services.ts';
import { removedMessageHashes } from '../chat/collections.ts';
import { moderationLog } from '../content-rules/collections.ts';
import { messageReports, reportEvidence, userWarnings, bans } from './collections.ts';

/** Rule matches matter only to current moderation. */
const LOG_DAYS = 180;
/** How long a decided report is stored with its evidence. */
const REPORT_DAYS = 2 * 365;

/**
 * Evidence is stored before its report: without a report after this time, the process crashed in between.
 */
const EVIDENCE_ALONE_DAYS = { min: 1, max: 8 };

/** Deletes expired moderation data. */
export async function runRetentionJob({ db }: Pick<Services, 'db'>): Promise<void> {
  const now = Date.now();
  await moderationLog(db).deleteMany({
    created_at: { $lt: new Date(now - LOG_DAYS * DAY_MS) },
    review: { $ne: 'pending' },
  });
  await deleteDue(userWarnings(db), {
    expires_at: { $lt: new Date(now - REPORT_DAYS * DAY_MS) },
    due_at: null,
  });
  await removedMessageHashes(db).deleteMany({ expires_at: { $lt: new Date(now) } });
  await bans(db).deleteMany({ until: { $lt: new Date(now) } });
  const old = messageReports(db).find(
    { resolved_at: { $lt: new Date(now - REPORT_DAYS * DAY_MS) } },
    { projection: { _id: 1 } },
  );
  for await (const { _id } of old) {
    await reportEvidence(db).deleteOne({ _id });
    await messageReports(db).deleteOne({ _id });
  }
  const alone = reportEvidence(db).aggregate<{ _id: string }>([
    {
      $match: {
        copied_at: {
          $lt: new Date(now - EVIDENCE_ALONE_DAYS.min * DAY_MS),
          $gt: new Date(now - EVIDENCE_ALONE_DAYS.max * DAY_MS),
        },
      },
    },
    { $lookup: { from: 'message_reports', localField: '_id', foreignField: '_id', as: 'reports' } },
    { $match: { reports: { $size: 0 } } },
    { $project: { _id: 1 } },
  ]);
  for await (const { _id } of alone) await reportEvidence(db).deleteOne({ _id });
}
