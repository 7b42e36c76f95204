import type { Database } from '../database.ts';
import type { Holding } from '../holdings.ts';

/** Letters to somebody that have not gone out, and what a stand-in kept of those that would have. */
export const heldMessages = ({ outbox, standInSent }: Database): Holding => ({
  name: 'messages',
  async remove({ email }) {
    await outbox.deleteMany({ status: 'waiting', 'message.to': email });
    await standInSent.deleteMany({ 'message.to': email });
  },
});
