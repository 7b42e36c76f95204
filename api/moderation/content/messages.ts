import type { Db } from 'mongodb';
import { messages } from '../../chat/collections.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import type { EvidenceRow } from '../collections.ts';

/** So many messages of either before the reported one, and after it, are evidence, too. */
const BEFORE = 10;
const AFTER = 5;

/** A message by what it is byMessageId, or was called when somebody spoke of it. */
export const byMessageId = (id: string) => ({ $or: [{ _id: id }, { former_ids: id }] });

/** A message with some before and after it in its thread, oldest first; none where there is no such message. */
export async function messagesAround(db: Db, messageId: string): Promise<EvidenceRow['messages']> {
  const row = await messages(db).findOne(byMessageId(messageId));
  if (!row) return [];
  const { thread_id, seq } = row;
  const [before, after] = await Promise.all([
    messages(db)
      .find({ thread_id, seq: { $lt: seq } })
      .sort({ seq: -1 })
      .limit(BEFORE)
      .toArray(),
    messages(db)
      .find({ thread_id, seq: { $gte: seq }, _id: { $ne: row._id } })
      .sort({ seq: 1 })
      .limit(AFTER)
      .toArray(),
  ]);
  // Whoever reports it has it by this name.
  return [...before.toReversed(), { ...row, _id: messageId }, ...after].map(evidenceOf);
}

/** What is kept of a message as evidence. */
export const evidenceOf = (message: MessageRow): EvidenceRow['messages'][number] => ({
  id: message._id,
  sender_user_id: message.sender_user_id,
  receiver_user_id: message.receiver_user_id,
  message_text: message.text,
  ...(message.former_texts && { former_texts: message.former_texts }),
  created_at: message.created_at,
});
