import { COUNT_MAX } from '#shared/admin/paging.ts';
import { notFound } from '#shared/http/http-error.ts';
import { listLog, reviewMessage } from '#shared/moderation/rules-contract.ts';
import { readPage } from '../../platform/admin/keyset-pagination.ts';
import { omitUndefined } from '../../platform/admin/omit-undefined.ts';
import { editedMeanwhile } from '../../platform/admin/versioned-edit.ts';
import { runOrRetrySoon } from '../../platform/background-jobs.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { moderationLog } from '../content-rules/collections.ts';
import { presentLog } from './moderation-log.ts';
import { idsOfSearch } from './people-search.ts';
import { carryOutReview, decideReview, runReviewsJob } from './reports/review.ts';

const REVIEWS_JOB = 'reviews';

/** The moderation log and its pending reviews. */
export function mountLog(api: Api): void {
  const { services } = api;
  services.registerJob(REVIEWS_JOB, () => runReviewsJob(services));

  serve(api, listLog, async ({ query: { cursor, limit, sort, search, ...filters } }) => {
    const { rows, paged } = await readPage(moderationLog(services.db), {
      filter: {
        ...omitUndefined(filters),
        ...(search && { user_id: { $in: await idsOfSearch(services.db, search) } }),
      },
      orders: { newest: ['created_at', -1], oldest: ['created_at', 1] },
      query: { cursor, limit, sort },
    });
    return {
      entries: await presentLog(services, rows),
      pending_reviews: await moderationLog(services.db).countDocuments(
        { review: 'pending' },
        { limit: COUNT_MAX + 1 },
      ),
      ...paged,
    };
  });

  serve(api, reviewMessage, async ({ params: { id }, body: { decision }, caller }) => {
    const row = await moderationLog(services.db).findOne({ _id: id });
    if (!row?.review || !row.message_id) throw notFound('Entry');
    if (row.review === 'pending') await decideReview(services, caller, row, decision);
    else if (row.review !== decision) throw editedMeanwhile();
    // Also for a repeat: the decision may not have been applied yet.
    const { message_id } = row;
    if (row.is_carried_out !== true)
      await runOrRetrySoon(services, REVIEWS_JOB, () =>
        carryOutReview(services, message_id, decision),
      );
    const reviewed = await moderationLog(services.db).findOne({ _id: id });
    const [entry] = await presentLog(services, reviewed ? [reviewed] : []);
    if (!entry) throw new Error('the log entry was not serialized');
    return { entry };
  });
}
