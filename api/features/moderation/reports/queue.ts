import type { Filter } from 'mongodb';
import { COUNT_MAX } from '#shared/admin/paging.ts';
import {
  listQueue,
  releaseReport,
  takeReport,
  undoDecision,
  type QueuedReport,
} from '#shared/moderation/admin-contract.ts';
import { QUEUE_MAX, REPORT_GRAVITY } from '#shared/moderation/rules.ts';
import { serve } from '../../../platform/http/mount-endpoint.ts';
import type { Api, Services } from '../../../platform/services.ts';
import { namesOf } from '../../profile/names.ts';
import { type ReportRow, messageReports } from '../collections.ts';
import { currentLease, releaseLease, takeLease } from '../lease.ts';
import { reportsForAdmins } from './reports.ts';
import { undo, visibleReports } from './resolve-report.ts';

const PENDING = { status: 'pending' as const };

/** The pending reports in the order in which moderators decide them. One query per gravity: each reads an index. */
async function pendingReports(
  { db }: Pick<Services, 'db'>,
  visible: Filter<ReportRow>,
): Promise<ReportRow[]> {
  const rows: ReportRow[] = [];
  for (const types of REPORT_GRAVITY) {
    if (rows.length >= QUEUE_MAX) break;
    const found = await messageReports(db)
      .find({ ...PENDING, report_type: { $in: [...types] }, ...visible })
      .sort({ created_at: 1, _id: 1 })
      .limit(QUEUE_MAX - rows.length)
      .toArray();
    rows.push(...found);
  }
  return rows;
}

async function withLeases(
  services: Pick<Services, 'db'>,
  rows: ReportRow[],
): Promise<QueuedReport[]> {
  const now = new Date();
  const leases = rows.map((row) => currentLease(row, now));
  const ids = [...new Set(leases.flatMap((lease) => lease?.admin_user_id ?? []))];
  const [reports, names] = await Promise.all([
    reportsForAdmins(services, rows),
    namesOf(services.db, ids, { isForModerators: true }),
  ]);
  return reports.map((report, index) => {
    const lease = leases[index];
    if (!lease) return { ...report, lease: null };
    const { admin_user_id: user_id, until } = lease;
    const holder = { user_id, name: names.get(user_id) ?? null };
    return { ...report, lease: { holder, until: until.toISOString() } };
  });
}

/** The moderators’ workspace: what to decide next, whose it is, and undoing a decision (decision 256). */
export function mountQueue(api: Api): void {
  const { services } = api;
  const { db } = services;

  serve(api, listQueue, async ({ caller }) => {
    const visible = await visibleReports(services, caller);
    const [rows, waiting] = await Promise.all([
      pendingReports(services, visible),
      messageReports(db).countDocuments({ ...PENDING, ...visible }, { limit: COUNT_MAX + 1 }),
    ]);
    return { reports: await withLeases(services, rows), waiting };
  });

  serve(api, takeReport, async ({ params: { id }, caller }) =>
    takeLease(services, messageReports(db), {
      filter: { _id: id, ...(await visibleReports(services, caller)) },
      adminId: caller.user._id,
      what: 'Report',
    }),
  );

  serve(api, releaseReport, async ({ params: { id }, caller }) => {
    await releaseLease(messageReports(db), id, caller.user._id);
    return {};
  });

  serve(api, undoDecision, async ({ params: { id }, body: { version }, caller }) => {
    const [report] = await reportsForAdmins(services, [await undo(services, caller, id, version)]);
    if (!report) throw new Error('the report was not serialized');
    return { report };
  });
}
