import type { Database } from '../database.ts';
import { whileTheirs, type Holding } from '../personal-data.ts';

/** Letters to somebody that have not gone out, and what a stand-in kept of those that would have. */
export const heldMessages = ({ outbox, standInSent }: Database): Holding => ({
  name: 'messages',
  async remove(user) {
    const theirs = { 'message.to': user.email };
    await outbox.deleteMany({ status: 'waiting', ...theirs, created_at: whileTheirs(user) });
    await standInSent.deleteMany({ ...theirs, at: whileTheirs(user) });
  },
});
