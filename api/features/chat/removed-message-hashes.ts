import type { MessageRow } from '#shared/server/collections.ts';
import { DAY_MS } from '#shared/time.ts';
import { sign, secretsOf } from '../../platform/hmac.ts';
import type { Services } from '../../platform/services.ts';
import { findUser } from '../../platform/session/collections.ts';
import { idsOf, type MessageCopy, messages, removedMessageHashes } from './collections.ts';
import { OF_THREAD } from './store.ts';

/** How long a removed message can be reported, for people who were offline or hesitated. */
const REPORTABLE_MS = 30 * DAY_MS;
/** How many of the newest messages of a removed thread can be reported. */
const HASHED_MAX = 500;

type Context = Pick<Services, 'db' | 'env'>;
type Claimed = Pick<MessageCopy, 'id' | 'message_text'> & {
  sender_user_id: string;
  receiver_user_id: string;
};

/** Only someone with the exact text can compute the hash, and it reveals nothing of the text. */
const messageHash = (
  secret: string,
  { id, sender_user_id, receiver_user_id, message_text }: Claimed,
): string =>
  sign(secret, JSON.stringify(['message', id, sender_user_id, receiver_user_id, message_text]));

/**
 * Stores keyed hashes of messages that are about to be removed. They reveal nothing of the texts, but verify the copy
 * of a receiver who reports one. May be repeated.
 */
export async function hashRemovedMessages(services: Context, rows: MessageRow[]): Promise<void> {
  const expires_at = new Date(Date.now() + REPORTABLE_MS);
  const writes = rows.flatMap((row) => {
    const texts = [row.text, ...(row.former_texts ?? [])];
    return idsOf(row).flatMap((id) =>
      texts.map((message_text) => ({
        updateOne: {
          filter: { _id: messageHash(services.env.SYNC_SECRET, { ...row, id, message_text }) },
          update: { $setOnInsert: { created_at: row.created_at, expires_at } },
          upsert: true,
        },
      })),
    );
  });
  if (writes.length > 0)
    await removedMessageHashes(services.db).bulkWrite(writes, { ordered: false });
}

/**
 * Hashes the newest messages of a thread by the server’s clock, because clients can forge a message’s position.
 */
export async function hashThread(services: Context, thread_id: string): Promise<void> {
  const all = messages(services.db).find({ thread_id }).hint(OF_THREAD);
  const newest = all.sort({ created_at: -1 }).limit(HASHED_MAX);
  await hashRemovedMessages(services, await newest.toArray());
}

/**
 * Returns a removed message as its receiver reports it, if a hash proves the text; null otherwise, and if its author’s
 * account is deleted, because nothing about that person is stored.
 */
export async function verifyRemovedMessage(
  services: Context,
  claimed: Claimed,
): Promise<MessageCopy | null> {
  const hashes = secretsOf(services.env).map((secret) => messageHash(secret, claimed));
  const hash = await removedMessageHashes(services.db).findOne({
    _id: { $in: hashes },
    expires_at: { $gt: new Date() },
  });
  const author = hash && (await findUser(services.db, claimed.sender_user_id));
  return author && { ...claimed, created_at: hash.created_at };
}
