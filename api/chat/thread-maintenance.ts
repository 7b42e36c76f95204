import { threads, messages } from './collections.ts';
import { SEGMENT_FULL } from '#shared/chat/document.ts';
import { SEQ_MAX } from '#shared/chat/rules.ts';
import { forEachIsolated } from '../for-each-isolated.ts';
import type { Services } from '../services.ts';
import { highestSeq } from './store.ts';
import { documentsOf } from './segment-documents.ts';
import { endThread, newSegment, reconcileThread } from './threads.ts';
import { updateUnreadSegments } from './unread-segments.ts';

/** So long the row of a thread that is gone stays, for whoever was about to make its documents. */
const GONE_FOR_MS = 10 * 60_000;

/** Gives a thread its next segments when one of the two has nearly filled the newest. */
async function extendThread(services: Services, threadId: string): Promise<void> {
  const thread = await threads(services.db).findOne({ _id: threadId, state: 'open' });
  const newest = thread?.segments.at(-1);
  if (!thread || !newest?.is_made) return;
  const number = thread.segments.length;
  const last = await highestSeq(services.db, threadId);
  // Not both of them together have written so many: nothing is counted.
  if (last - newest.after < SEGMENT_FULL && last < SEQ_MAX) return;
  const [fullest] = await messages(services.db)
    .aggregate<{ count: number }>([
      { $match: { thread_id: threadId, number } },
      { $group: { _id: '$sender_user_id', count: { $sum: 1 } } },
      { $sort: { count: -1 } },
      { $limit: 1 },
    ])
    .toArray();
  if ((fullest?.count ?? 0) < SEGMENT_FULL) return;
  const before = await threads(services.db).findOneAndUpdate(
    { _id: threadId, state: 'open', segments: { $size: number } },
    {
      $push: { segments: newSegment(thread.users, last) },
      $inc: { revision: 1 },
      $set: { is_settled: false, changed_at: new Date() },
    },
    { projection: { is_settled: 1 } },
  );
  // The segments of years need not be gone through for one more.
  await reconcileThread(services, thread.pair, before?.is_settled ? number + 1 : 1);
}

/**
 * Keeps threads as what is written in them wants it, and makes up for what a crash, or a sync server that was away, left undone.
 * @returns what is to be called for each thread in which something was written
 */
export function startThreadMaintenance(services: Services): (threadId: string) => void {
  const { onClose, sweep, log, db } = services;
  const wanted = new Set<string>();
  const looking = new Map<string, Promise<void>>();

  /** One look at a thread at a time, and another where something was written meanwhile. */
  async function look(threadId: string): Promise<void> {
    while (wanted.delete(threadId))
      try {
        await extendThread(services, threadId);
        await updateUnreadSegments(services, threadId);
      } catch (err) {
        log.warn({ err, thread: threadId }, 'could not maintain a thread');
      }
    looking.delete(threadId);
  }
  onClose(async () => {
    await Promise.all(looking.values());
  });

  const settleAll = () =>
    forEachIsolated(threads(db).find({ is_settled: false }), async ({ _id, pair }) => {
      await reconcileThread(services, pair);
      // The two may have another one since.
      const gone = await threads(db).findOne({ _id, state: 'removed', is_settled: false });
      if (gone) await endThread(services, gone);
    });
  const clearAway = () => {
    const changed_at = { $lt: new Date(Date.now() - GONE_FOR_MS) };
    const over = { state: 'removed' as const, is_settled: true, changed_at };
    return forEachIsolated(threads(db).find(over), async (gone) => {
      for (const id of documentsOf(gone)) await services.documents.remove(id);
      await threads(db).deleteOne({ _id: gone._id });
    });
  };
  sweep('threads', () => forEachIsolated([settleAll, clearAway], (step) => step()));

  return (threadId) => {
    wanted.add(threadId);
    if (!looking.has(threadId)) looking.set(threadId, look(threadId));
  };
}
