import type { Db } from 'mongodb';
import type { OwnReport } from '#shared/moderation/contract.ts';
import { OWN_REPORTS_MAX } from '#shared/moderation/rules.ts';
import { messageReports } from './collections.ts';
import { presentReport } from './reports/reports.ts';

/** Returns a person’s own reports, newest first. */
export async function ownReports(db: Db, reporter_user_id: string): Promise<OwnReport[]> {
  const rows = await messageReports(db)
    .find({ reporter_user_id })
    .sort({ created_at: -1 })
    .limit(OWN_REPORTS_MAX)
    .toArray();
  return rows.map(presentReport);
}
