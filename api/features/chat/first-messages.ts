import { messageId } from '#shared/chat/document.ts';
import type { Services } from '../../platform/services.ts';
import type { PairRow } from '../relationships/collections.ts';
import { changeOwnSegment } from './change-own-segment.ts';
import { messages, threads } from './collections.ts';
import { removeMessage } from './remove-message.ts';
import { documentsOf } from './segment-documents.ts';
import { newMessage } from './store.ts';

/**
 * Adds what new friends wrote with their requests to their thread (decision 140). May be repeated: a message’s key is the id of
 * its request.
 */
export async function addFirstMessages(services: Services, pair: PairRow): Promise<void> {
  for (const { id, author, text, at } of pair.first_messages ?? []) {
    const thread = await threads(services.db).findOne({ pair: pair._id, is_live: true });
    if (!thread || thread.segments.length === 0) return;
    const message = await newMessage(services.db, thread, { key: id, text, at });
    const place = { thread_id: thread._id, number: thread.segments.length };
    const change = { name: 'message.add', input: message, isOurs: true } as const;
    await changeOwnSegment(services, place, author, change);
  }
}

/** Removes what somebody wrote with a request from the thread that it began, if it is in one. May be repeated. */
export async function removeFirstMessage(
  services: Services,
  requestId: string,
  author: string,
): Promise<void> {
  const theirs = await threads(services.db).find({ users: author, is_live: true }).toArray();
  const ids = theirs.flatMap(documentsOf).map((document) => messageId(document, requestId));
  const row = await messages(services.db).findOne({ _id: { $in: ids }, sender_user_id: author });
  if (row) await removeMessage(services, row._id);
}
