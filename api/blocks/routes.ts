import { createBlock, deleteBlock, listBlocks } from '#shared/blocks/contract.ts';
import { isDuplicate } from '../database.ts';
import { changeOwn } from '../own-documents.ts';
import { Refusal } from '../refusal.ts';
import { serve } from '../serve.ts';
import type { Api } from '../services.ts';
import { heldBlocks } from './held.ts';
import type { BlockRow } from './store.ts';

const present = ({ _id, created_at, ...row }: BlockRow) => ({
  ...row,
  id: _id,
  created_at: created_at.toISOString(),
});

/**
 * Blocks. The row is what counts; the circle follows it. Either step may be repeated, so a call that failed halfway is
 * put right by the next one.
 */
export function mountBlocks(api: Api): void {
  const { services } = api;
  const { blocks, users, cards } = services.database;
  services.holdings.add(heldBlocks(services));

  async function tellBoth(one: string, other: string): Promise<void> {
    await services.signals.send('blocks', one);
    await services.signals.send('blocks', other);
  }

  serve(api, listBlocks, async ({ caller }) => {
    const rows = await blocks
      .find({ blocker_user_id: caller.user._id })
      .sort({ created_at: -1, _id: 1 })
      .toArray();
    return { blocks: rows.map(present) };
  });

  serve(api, createBlock, async ({ body, caller: { user }, freshId }) => {
    const blocked_user_id = body.blocked_user_id;
    if (blocked_user_id === user._id)
      throw new Refusal(400, 'You cannot block yourself', {
        fields: { blocked_user_id: 'You cannot block yourself' },
      });
    const other = await users.findOne({ _id: blocked_user_id });
    if (!other) throw new Refusal(404, 'User not found');
    const card = await cards.findOne({ _id: other._id });
    let row: BlockRow = {
      _id: freshId(),
      blocker_user_id: user._id,
      blocked_user_id,
      blocked_user_name: card?.display_name || other.given_name,
      reason: body.reason || null,
      created_at: new Date(),
    };
    try {
      await blocks.insertOne(row);
    } catch (error) {
      const known = isDuplicate(error)
        ? await blocks.findOne({ blocker_user_id: user._id, blocked_user_id })
        : null;
      if (!known) throw error;
      row = known;
    }
    await tellBoth(user._id, blocked_user_id);
    await changeOwn(services, user, 'circle', 'block.add', {
      user_id: blocked_user_id,
      name: row.blocked_user_name,
      created_at: row.created_at.toISOString(),
    });
    return { block: present(row) };
  });

  serve(api, deleteBlock, async ({ params: { blockedUserId }, caller: { user } }) => {
    const pair = { blocker_user_id: user._id, blocked_user_id: blockedUserId };
    if (!(await blocks.findOne(pair))) throw new Refusal(404, 'Block not found');
    await changeOwn(services, user, 'circle', 'block.remove', { user_id: blockedUserId });
    await blocks.deleteOne(pair);
    await tellBoth(user._id, blockedUserId);
    return {};
  });
}
