import { EDITED_MEANWHILE, EDITED_WORDS } from '#shared/admin/paging.ts';
import { listLog, reviewMessage } from '#shared/moderation/rules-contract.ts';
import { readPage } from '../admin/page.ts';
import { Refusal } from '../refusal.ts';
import { serve } from '../serve.ts';
import type { Api } from '../services.ts';
import { given } from './given.ts';
import { presentLog } from './log.ts';
import { release, withdraw } from './withdraw.ts';

/** What rules found and moderators did, and what waits for them. */
export function mountLog(api: Api): void {
  const { services } = api;
  const { moderationLog } = services.database;

  serve(api, listLog, async ({ query: { cursor, limit, sort, ...filters } }) => {
    const { rows, paged } = await readPage(moderationLog, {
      filter: given(filters),
      orders: { newest: ['created_at', -1], oldest: ['created_at', 1] },
      query: { cursor, limit, sort },
    });
    return {
      entries: await presentLog(services, rows),
      pending_reviews: await moderationLog.countDocuments({ review: 'pending' }, { limit: 1_000 }),
      ...paged,
    };
  });

  serve(api, reviewMessage, async ({ params: { id }, body: { decision }, caller }) => {
    const row = await moderationLog.findOne({ _id: id });
    if (!row?.review || !row.message_id) throw new Refusal(404, 'Entry not found');
    const { message_id } = row;
    const meanwhile = () => new Refusal(409, EDITED_WORDS, { code: EDITED_MEANWHILE });
    if (row.review !== 'pending') throw meanwhile();
    const before = { review: row.review };
    const reviewed = await services.audit(
      { caller, act: 'message.review', subject_id: id, before, after: { review: decision } },
      async () => {
        // Other rules may have found the same message: one decision is for all.
        const admin_user_id = caller.user._id;
        const $set = {
          review: decision,
          admin_user_id,
          ...(decision === 'removed' && { action_taken: 'deleted' as const }),
        };
        const { modifiedCount } = await moderationLog.updateMany(
          { message_id, review: 'pending' },
          { $set },
        );
        if (modifiedCount === 0) throw meanwhile();
        await (decision === 'removed' ? withdraw : release)(services, message_id);
        return { ...row, ...$set };
      },
    );
    const [entry] = await presentLog(services, [reviewed]);
    if (!entry) throw new Error('an entry was not presented');
    return { entry };
  });
}
