import { SEGMENT_FULL, SEGMENTS_OPEN, SEQ_MAX } from '#shared/chat/rules.ts';
import { MINUTE_MS } from '#shared/time.ts';
import { forEachIsolated, runIsolated } from '../../platform/for-each-isolated.ts';
import type { Services } from '../../platform/services.ts';
import { messages, threads, WRITABLE, type ThreadRow } from './collections.ts';
import { documentsOf } from './segment-documents.ts';
import { highestSeq } from './store.ts';
import { endThread, newSegment, reconcileThread } from './threads.ts';
import { updateUnreadSegments } from './unread-segments.ts';

/**
 * How long the row of a removed thread stays, for calls that were about to create its documents.
 */
const REMOVED_FOR_MS = 10 * MINUTE_MS;

/** Whether both together may have filled the newest segments, up to the message with this `seq`. */
const mayBeFull = ({ segments }: ThreadRow, seq: number): boolean =>
  seq - (segments.at(-1)?.after ?? 0) >= SEGMENT_FULL || seq >= SEQ_MAX;

/** Adds the next segments to a thread when one user has almost filled the newest. */
async function extendThread(services: Services, threadId: string): Promise<void> {
  const thread = await threads(services.db).findOne({ _id: threadId, state: { $in: WRITABLE } });
  const newest = thread?.segments.at(-1);
  if (!thread || !newest?.is_made) return;
  const number = thread.segments.length;
  const last = await highestSeq(services.db, threadId);
  if (!mayBeFull(thread, last)) return;
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
    { _id: threadId, state: { $in: WRITABLE }, segments: { $size: number } },
    {
      $push: { segments: newSegment(thread.users, last) },
      $inc: { revision: 1 },
      $set: { is_settled: false, changed_at: new Date() },
    },
    { projection: { is_settled: 1 } },
  );
  // Only the new segments need reconciling.
  await reconcileThread(services, thread.pair, before?.is_settled ? number + 1 : 1);
}

/**
 * Extends threads, updates their unread segments, and finishes interrupted changes.
 * @returns a function to call for each thread with new messages, with the highest `seq` of them
 */
export function startThreadMaintenance(
  services: Services,
): (thread: ThreadRow, seq: number) => void {
  const { onClose, registerJob, log, db } = services;
  const wanted = new Set<string>();
  const looking = new Map<string, Promise<void>>();

  /** Processes a thread once at a time, and again after new messages. */
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
      // The pair may have a new thread since.
      const removed = await threads(db).findOne({ _id, state: 'removed', is_settled: false });
      if (removed) await endThread(services, removed);
    });
  const clearAway = () => {
    const changed_at = { $lt: new Date(Date.now() - REMOVED_FOR_MS) };
    const over = { state: 'removed' as const, is_settled: true, changed_at };
    return forEachIsolated(threads(db).find(over), async (removed) => {
      for (const id of documentsOf(removed)) await services.documents.remove(id);
      await threads(db).deleteOne({ _id: removed._id });
    });
  };
  registerJob('threads', () => runIsolated([settleAll, clearAway]));

  return (thread, seq) => {
    // There is nothing to do for most of them.
    if (thread.segments.length <= SEGMENTS_OPEN && !mayBeFull(thread, seq)) return;
    wanted.add(thread._id);
    if (!looking.has(thread._id)) looking.set(thread._id, look(thread._id));
  };
}
