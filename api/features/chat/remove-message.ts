import { createHash } from 'node:crypto';
import {
  messageId,
  readSegment,
  splitMessageId,
  type SegmentMessage,
} from '#shared/chat/document.ts';
import { NOT_YET } from '#shared/endpoint.ts';
import { HttpError } from '#shared/http/http-error.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import { documentIdFrom } from '#shared/sync/document-ids.ts';
import { forEachIsolated } from '../../platform/for-each-isolated.ts';
import type { Services } from '../../platform/services.ts';
import { NOT_DELETED, users } from '../../platform/session/collections.ts';
import { changeDocumentOf } from '../../platform/user-documents.ts';
import { recordDeletions } from '../deletions/record-deletions.ts';
import { removeFile } from './attachments.ts';
import { byMessageId, deletableIdsOf, messages, threads } from './collections.ts';
import { hashRemovedMessages } from './removed-message-hashes.ts';
import { documentOf, unplacedDocuments, isInMaking } from './segment-documents.ts';
import { reconcileThread } from './threads.ts';

/** Who began a removal repeats it within this time. Until it is finished, its author can’t write in the segment. */
const REPEATED_WITHIN_MS = 20_000;
/** Messages per change. */
const AT_ONCE = 200;
/**
 * Read marks per change: a device may have left thousands, and the sync server limits operations per change.
 */
const MARKS_AT_ONCE = 2_000;

/**
 * Hides a message from both until a moderator decides; null if it doesn’t exist. May be repeated.
 */
export async function holdForReview(services: Services, id: string): Promise<MessageRow | null> {
  return (await hide(services, id, true))[0] ?? null;
}

/** Shows it again. */
export async function release(services: Services, id: string): Promise<void> {
  await hide(services, id, false);
}

/** @returns its rows: two while another message is removed from its segment */
async function hide(services: Services, id: string, is_hidden: boolean): Promise<MessageRow[]> {
  const rows = await messages(services.db).find(byMessageId(id)).toArray();
  const ids = rows.map(({ _id }) => _id);
  await messages(services.db).updateMany({ _id: { $in: ids } }, { $set: { is_hidden } });
  for (const row of rows) await updateContacts(services, row, is_hidden);
  return rows.map((row) => ({ ...row, is_hidden }));
}

async function updateContacts(
  services: Services,
  { _id, sender_user_id, receiver_user_id }: MessageRow,
  is_hidden: boolean,
): Promise<void> {
  const both = users(services.db).find({
    _id: { $in: [sender_user_id, receiver_user_id] },
    ...NOT_DELETED,
  });
  for await (const user of both)
    await changeDocumentOf(services, user, {
      kind: 'contacts',
      name: 'message.hide',
      input: {
        message_id: _id,
        is_hidden,
      },
    });
}

/**
 * Removes a message for both people, from every device and history. A document keeps everything that was ever in it, so
 * the segment is rewritten without the message under another id and the old document is removed (decision 130). Hides
 * the message immediately; may be repeated, and must be after a failure halfway.
 * @returns its text; null if it doesn’t exist
 */
export async function removeMessage(services: Services, id: string): Promise<string | null> {
  const { db, documents } = services;
  const found = await messages(db).findOne(byMessageId(id));
  if (!found) return null;
  // Before it is hidden: a repeat must not take it for one in review.
  await recordDeletions(db, 'message', deletableIdsOf(found));
  const removal_began_at = found.removal_began_at ?? new Date();
  await messages(db).updateMany(byMessageId(id), { $set: { removal_began_at } });
  const hiddenRows = await hide(services, id, true);
  if (!hiddenRows[0]) return null;
  const { thread_id, number, sender_user_id: author } = hiddenRows[0];
  const thread = await threads(db).findOne({ _id: thread_id, is_live: true });
  const segment = thread?.segments[number - 1];
  // By its current id, if another message was just removed from its segment.
  const row =
    (await messages(db).findOne({ ...byMessageId(id), document_id: segment?.documents[author] })) ??
    hiddenRows[0];
  await recordDeletions(db, 'message', deletableIdsOf(row));
  await hashRemovedMessages(services, [row]);
  const old = row.document_id;
  if (!thread || segment?.documents[author] !== old) {
    if (thread && isInMaking(thread, old)) throw removalInProgress();
    // A block or another removal has replaced that document, or is about to.
    // After a failure halfway, devices may not know where the messages are now.
    if (thread?.is_settled === false) await reconcileThread(services, thread.pair);
    for (const each of hiddenRows) await updateContacts(services, each, false);
    await removeReplaced(services, thread_id, old);
    await removeFile(services, row);
    return row.text;
  }
  // From now on no change to it is acknowledged; otherwise changes after the read would be lost.
  await documents.retire(old);
  const segmentBefore = readSegment(await documents.read(old));
  const { messages: all, received, read, reactions } = segmentBefore;
  const isRemoved = ({ key }: { key: string }) => messageId(old, key) === row._id;
  // It may have got its file since the row was read.
  const { photo = row.photo, voice = row.voice } = all.find(isRemoved) ?? {};
  const remaining = all.filter((message) => !isRemoved(message));
  const removed = [...segmentBefore.removed, splitMessageId(row._id).key];
  const fresh = successorOf(old, row._id);
  const place = {
    thread_id,
    number,
    friend_user_id: row.receiver_user_id,
    after: segment.after,
  };
  const { matchedCount } = await threads(db).updateOne(
    { _id: thread_id, is_live: true },
    { $addToSet: { successions: { old, fresh } } },
  );
  // Blocked meanwhile.
  if (matchedCount === 0) return removeMessage(services, id);
  await documents.create(fresh, 'segment', author, new Date(), place);
  // A device that was offline may still hold one of them as unsent.
  for (let at = 0; at < removed.length; at += AT_ONCE)
    await documents.change('segment', fresh, 'messages.remove', {
      keys: removed.slice(at, at + AT_ONCE),
    });
  for (let at = 0; at < remaining.length; at += AT_ONCE)
    await documents.change('segment', fresh, 'messages.restore', {
      messages: remaining.slice(at, at + AT_ONCE),
    });
  for (const marks of slicesOf(received))
    await documents.change('segment', fresh, 'marks.set', { received: marks });
  for (const marks of slicesOf(read))
    await documents.change('segment', fresh, 'marks.set', { read: marks });
  const reacted = Object.entries(reactions);
  for (let at = 0; at < reacted.length; at += AT_ONCE)
    await documents.change('segment', fresh, 'reactions.restore', {
      reactions: Object.fromEntries(reacted.slice(at, at + AT_ONCE)),
    });
  const heldRows = await carryOver(services, old, fresh, remaining);
  const field = `segments.${number - 1}.documents.${author}`;
  const { modifiedCount } = await threads(db).updateOne(
    { _id: thread_id, is_live: true, [field]: old },
    {
      $set: { [field]: fresh, is_settled: false, changed_at: new Date() },
      $inc: { revision: 1 },
    },
  );
  if (modifiedCount === 0) {
    const now = await threads(db).findOne({ _id: thread_id, is_live: true });
    // Another message was removed from it in the meantime. (Or another server did the same.)
    if (documentOf(now, number, author) !== fresh) {
      await documents.remove(fresh);
      await threads(db).updateOne({ _id: thread_id }, { $pull: { successions: { old, fresh } } });
      return removeMessage(services, id);
    }
  }
  await reconcileThread(services, thread.pair);
  // Before the rows are deleted: a repeat needs them to find the message.
  for (const each of [row, ...hiddenRows, ...heldRows]) await updateContacts(services, each, false);
  await removeReplaced(services, thread_id, old);
  await removeFile(services, { ...row, photo, voice });
  // Messages in it were not scanned while it was being rewritten.
  await services.signals.send('message', '');
  return row.text;
}

/** Finishes removals that were interrupted, for which nobody came back. */
export async function finishRemovals(services: Services): Promise<void> {
  const removal_began_at = { $lt: new Date(Date.now() - REPEATED_WITHIN_MS) };
  await forEachIsolated(messages(services.db).find({ removal_began_at }), ({ _id }) =>
    removeMessage(services, _id),
  );
}

/** Removes a replaced document, and unfinished replacements of it. */
async function removeReplaced({ db, documents }: Services, thread: string, old: string) {
  const row = await threads(db).findOne({ _id: thread });
  const unplaced = row ? unplacedDocuments(row) : [];
  for (const each of row?.successions ?? [])
    if (each.old === old && unplaced.includes(each.fresh)) await documents.remove(each.fresh);
  await documents.remove(old);
  await threads(db).updateOne({ _id: thread }, { $pull: { successions: { old } } });
}

const removalInProgress = () =>
  new HttpError(503, 'Another message from this person is being removed. Try again in a moment.', {
    code: NOT_YET,
  });

function* slicesOf(marks: Record<string, number>): Generator<Record<string, number>> {
  const all = Object.entries(marks);
  for (let at = 0; at < all.length; at += MARKS_AT_ONCE)
    yield Object.fromEntries(all.slice(at, at + MARKS_AT_ONCE));
}

/** The id of the segment’s replacement without a message: the same for a repeat. */
const successorOf = (document: string, id: string): string =>
  documentIdFrom(createHash('sha256').update(`${document} without ${id}`).digest());

/**
 * Copies times, and read, checked, and hidden states, from the old rows to the new ones.
 * @returns the old rows of hidden messages
 */
async function carryOver(
  services: Services,
  old: string,
  fresh: string,
  remaining: SegmentMessage[],
): Promise<MessageRow[]> {
  const rows = await messages(services.db).find({ document_id: old }).toArray();
  const known = new Map(rows.map((row) => [row._id, row]));
  const writes = remaining.map(({ key }) => {
    const filter = { _id: messageId(fresh, key) };
    const row = known.get(messageId(old, key));
    // Devices name it by its former id, also if it arrived too late for a row.
    if (!row)
      return { updateOne: { filter, update: { $set: { former_ids: [messageId(old, key)] } } } };
    const { _id, created_at, updated_at, is_read, is_checked, is_hidden = false } = row;
    const former_ids = [...(row.former_ids ?? []), _id];
    const $set = {
      created_at,
      updated_at,
      ...(is_read && { is_read }),
      is_checked,
      is_hidden,
      former_ids,
      ...(row.former_texts && { former_texts: row.former_texts }),
    };
    return { updateOne: { filter, update: { $set } } };
  });
  if (writes.length > 0) await messages(services.db).bulkWrite(writes, { ordered: false });
  const held = remaining.flatMap(({ key }) => {
    const row = known.get(messageId(old, key));
    return row?.is_hidden ? [{ row, now: messageId(fresh, key) }] : [];
  });
  for (const { row, now } of held) await updateContacts(services, { ...row, _id: now }, true);
  return held.map(({ row }) => row);
}
