import type { Services } from '../services.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** What rules found is for those who moderate now. */
const LOG_DAYS = 180;
/** A report counts, and may be asked about, for so long after it was decided; its evidence goes with it. */
const REPORT_DAYS = 2 * 365;

/** Takes away what nobody may need any more. */
export async function sweepOld({ database }: Pick<Services, 'database'>): Promise<void> {
  const { moderationLog, messageReports, reportEvidence, messageSeals, bans } = database;
  const now = Date.now();
  await moderationLog.deleteMany({
    created_at: { $lt: new Date(now - LOG_DAYS * DAY_MS) },
    review: { $ne: 'pending' },
  });
  await messageSeals.deleteMany({ expires_at: { $lt: new Date(now) } });
  await bans.deleteMany({ until: { $lt: new Date(now) } });
  const old = messageReports.find(
    { resolved_at: { $lt: new Date(now - REPORT_DAYS * DAY_MS) } },
    { projection: { _id: 1 } },
  );
  for await (const { _id } of old) {
    await reportEvidence.deleteOne({ _id });
    await messageReports.deleteOne({ _id });
  }
}
