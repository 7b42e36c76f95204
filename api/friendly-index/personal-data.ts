import type { Database } from '../database.ts';
import type { Holding } from '../personal-data.ts';

/**
 * The days on which one met somebody. They are made of the meetings, which an export has already, and whom one met is
 * the other one's, too.
 */
export const heldAcquaintances = ({ acquaintances }: Database): Holding => ({
  name: 'acquaintances',
  async remove({ _id }) {
    await acquaintances.deleteMany({ users: _id });
  },
});
