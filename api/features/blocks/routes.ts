import { createBlock, deleteBlock, listBlocks } from '#shared/blocks/contract.ts';
import { HttpError, notFound } from '#shared/http/http-error.ts';
import { serve } from '../../platform/http/mount-endpoint.ts';
import type { Api } from '../../platform/services.ts';
import { actOn } from '../friends/relationship-store.ts';
import { namesOf } from '../profile/names.ts';
import { type BlockEntry, pairs } from '../relationships/collections.ts';
import { blockBy, type Act } from '../relationships/relationship.ts';
import { cardAtBlock, earlierViewUntil, registerEarlierViewsJob } from './earlier-views.ts';

const present = ({ created_at, ...entry }: BlockEntry) => {
  const { id, blocker_user_id, blocked_user_id, blocked_user_name, reason } = entry;
  const users = { blocker_user_id, blocked_user_id, blocked_user_name };
  return { id, ...users, reason, created_at: created_at.toISOString() };
};

/** Blocks, which are stored in the pair’s row, see api/features/relationships/relationship.ts. */
export function mountBlocks(api: Api): void {
  const { services } = api;
  const { db, env } = services;
  registerEarlierViewsJob(services);

  serve(api, listBlocks, async ({ caller: { user } }) => {
    const rows = await pairs(db).find({ users: user._id, relationship: 'blocked' }).toArray();
    const own = rows.map((row) => blockBy(row, user._id)).filter((entry) => entry !== undefined);
    const newestFirst = own.toSorted((a, b) => b.created_at.getTime() - a.created_at.getTime());
    return { blocks: newestFirst.map(present) };
  });

  serve(api, createBlock, async ({ body, caller: { user }, freshId, madeAt }) => {
    const { blocked_user_id } = body;
    if (blocked_user_id === user._id)
      throw new HttpError(400, 'You can’t block yourself', {
        fields: { blocked_user_id: 'You can’t block yourself' },
      });
    const blocked_user_name = (await namesOf(db, [blocked_user_id])).get(blocked_user_id);
    if (blocked_user_name === undefined) throw notFound('User');
    await services.limitChanges(user._id);
    const reason = body.reason || null;
    const act: Act = {
      type: 'block',
      id: freshId(),
      blocked_user_name,
      reason,
      shownUntil: earlierViewUntil(env.BLOCK_DELAY_SCALE),
      ...(await cardAtBlock(db, user._id)),
    };
    const { pair } = await actOn(services, { by: user._id, other: blocked_user_id, act, madeAt });
    const entry = blockBy(pair, user._id);
    if (!entry) throw new Error('the block was not stored');
    return { block: present(entry) };
  });

  serve(api, deleteBlock, async ({ params: { blockedUserId }, caller: { user }, madeAt }) => {
    await services.limitChanges(user._id);
    const { refused } = await actOn(services, {
      by: user._id,
      other: blockedUserId,
      act: { type: 'unblock' },
      madeAt,
    });
    if (refused === 'blocked_since')
      throw new HttpError(409, 'You’ve blocked this person again since then.', { code: refused });
    if (refused) throw notFound('Block');
    return {};
  });
}
