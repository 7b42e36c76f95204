import type { Db } from 'mongodb';
import type { MessageRow } from '#shared/server/collections.ts';
import { byMessageId, messages } from '../../chat/collections.ts';
import type { EvidenceRow } from '../collections.ts';

/** Messages around the reported one to include as evidence. */
const BEFORE = 10;
const AFTER = 5;

/**
 * Returns a message with some before and after it in its thread, oldest first; empty if there is no such message.
 */
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
  // The reporter knows it by this id.
  return [...before.toReversed(), { ...row, _id: messageId }, ...after].map(evidenceOf);
}

/** The evidence copy of a message. */
const evidenceOf = (message: MessageRow): EvidenceRow['messages'][number] => ({
  id: message._id,
  sender_user_id: message.sender_user_id,
  receiver_user_id: message.receiver_user_id,
  message_text: message.text,
  ...(message.former_texts && { former_texts: message.former_texts }),
  created_at: message.created_at,
});
