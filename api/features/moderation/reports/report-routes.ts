import type { Filter } from 'mongodb';
import { COUNT_MAX } from '#shared/admin/paging.ts';
import { notFound } from '#shared/http/http-error.ts';
import { decideReport, getReport, listReports } from '#shared/moderation/admin-contract.ts';
import { reportStatus } from '#shared/moderation/contract.ts';
import { readPage } from '../../../platform/admin/keyset-pagination.ts';
import { omitUndefined } from '../../../platform/admin/omit-undefined.ts';
import { serve } from '../../../platform/http/mount-endpoint.ts';
import type { Api } from '../../../platform/services.ts';
import {
  type EvidenceRow,
  type ReportRow,
  messageReports,
  NAMED,
  reportEvidence,
  userWarnings,
} from '../collections.ts';
import { idsOfSearch } from '../people-search.ts';
import { presentForAdmins } from '../sanctions.ts';
import { mountQueue } from './queue.ts';
import { reportsForAdmins } from './reports.ts';
import { decide, DECISIONS_JOB, visibleReports, runDecisionsJob } from './resolve-report.ts';

/** A decision takes effect within this time after it can no longer be undone. */
const DECISIONS_MS = 5_000;
/** More than a moderator reads about one person. */
const WARNINGS_MAX = 50;

const requestOf = (evidence: EvidenceRow | null) =>
  evidence?.friend_request
    ? {
        ...evidence.friend_request,
        created_at: evidence.friend_request.created_at.toISOString(),
      }
    : null;

const walkOf = (evidence: EvidenceRow | null) =>
  evidence?.planned_walk
    ? { ...evidence.planned_walk, starts_at: evidence.planned_walk.starts_at.toISOString() }
    : null;

/** The report queue, and the decision about a report. */
export function mountReports(api: Api): void {
  const { services } = api;
  services.registerJob(DECISIONS_JOB, () => runDecisionsJob(services), { everyMs: DECISIONS_MS });
  mountQueue(api);

  async function countByStatus(open: Filter<ReportRow>) {
    const counts = await Promise.all(
      reportStatus.options.map(async (status) => [
        status,
        await messageReports(services.db).countDocuments(
          { ...open, status },
          { limit: COUNT_MAX + 1 },
        ),
      ]),
    );
    return Object.fromEntries(counts) as Record<(typeof reportStatus.options)[number], number>;
  }

  serve(
    api,
    listReports,
    async ({ query: { cursor, limit, sort, search, ...filters }, caller }) => {
      const open = await visibleReports(services, caller);
      const ids = search ? await idsOfSearch(services.db, search) : [];
      const who = { $in: ids };
      const { rows, paged } = await readPage(messageReports(services.db), {
        filter: {
          ...omitUndefined(filters),
          ...open,
          ...(search && { $or: [{ reported_user_id: who }, { reporter_user_id: who }] }),
        },
        orders: { newest: ['created_at', -1], oldest: ['created_at', 1] },
        query: { cursor, limit, sort },
      });
      return {
        reports: await reportsForAdmins(services, rows),
        counts: await countByStatus(open),
        ...paged,
      };
    },
  );

  serve(api, getReport, async ({ params: { id }, caller }) => {
    const row = await messageReports(services.db).findOne({
      _id: id,
      ...(await visibleReports(services, caller)),
    });
    const evidence = row && (await reportEvidence(services.db).findOne({ _id: id }));
    if (!row || !(evidence ?? row.flags)) throw notFound('Report');
    const { reported_user_id } = row;
    const [[report], warnings, upheld] = await Promise.all([
      reportsForAdmins(services, [row]),
      userWarnings(services.db)
        .find({ user_id: reported_user_id, ...NAMED })
        .sort({ created_at: -1 })
        .limit(WARNINGS_MAX)
        .toArray(),
      messageReports(services.db).countDocuments({
        reported_user_id,
        status: 'resolved',
        _id: { $ne: id },
      }),
    ]);
    if (!report) throw new Error('the report was not serialized');
    return {
      report,
      flags: (row.flags ?? []).map(({ at, details }) => ({ at: at.toISOString(), details })),
      evidence: {
        messages: (evidence?.messages ?? []).map(({ created_at, ...message }) => ({
          ...message,
          created_at: created_at.toISOString(),
        })),
        copied_at: (evidence?.copied_at ?? row.created_at).toISOString(),
        is_from_reporter: evidence?.is_from_reporter ?? false,
        person: evidence?.person ?? null,
        image_key: evidence?.image_key ?? null,
        place_photo: evidence?.place_photo ?? null,
        friend_request: requestOf(evidence),
        planned_walk: walkOf(evidence),
      },
      warnings: await presentForAdmins(services, warnings),
      upheld_reports: upheld,
    };
  });

  serve(api, decideReport, async ({ params: { id }, body, caller }) => {
    const [report] = await reportsForAdmins(services, [await decide(services, caller, id, body)]);
    if (!report) throw new Error('the report was not serialized');
    return { report };
  });
}
