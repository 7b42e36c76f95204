import type { Holding } from '../holdings.ts';
import type { Services } from '../services.ts';

/** Blocks in both directions; only one's own are shown to one. */
export const heldBlocks = ({ database, documents, signals }: Services): Holding => ({
  name: 'blocks',
  async export({ _id }) {
    const rows = await database.blocks.find({ blocker_user_id: _id }).toArray();
    return rows.map(({ blocked_user_name, reason, created_at }) => ({
      blocked_user_name,
      reason,
      created_at,
    }));
  },
  async remove({ _id }) {
    const either = { $or: [{ blocker_user_id: _id }, { blocked_user_id: _id }] };
    const rows = await database.blocks.find(either).toArray();
    const blockers = rows.map((row) => row.blocker_user_id).filter((id) => id !== _id);
    const others = await database.users
      .find({ _id: { $in: blockers }, documents_ready: true })
      .toArray();
    for (const { documents: own } of others)
      await documents.change('circle', own.circle, 'block.remove', { user_id: _id });
    await database.blocks.deleteMany(either);
    for (const row of rows)
      await signals.send(
        'blocks',
        row.blocker_user_id === _id ? row.blocked_user_id : row.blocker_user_id,
      );
  },
});
