import { messages } from '../../chat/collections.ts';
import { users } from '../../session/collections.ts';
import type { MessageRow } from '#shared/server/collections.ts';
import { DAY_MS } from '#shared/time.ts';
import { OF_THREAD } from '../../chat/store.ts';
import { sign, secretsOf } from '../../hmac.ts';
import type { Services } from '../../services.ts';
import { type EvidenceRow, removedMessageHashes } from '../collections.ts';

/** Somebody who was offline, or thought about it, may report what was taken away within this. */
const REPORTABLE_MS = 30 * DAY_MS;
/** Of a thread that is gone, so many of the newest may be reported. */
const SEALED_MAX = 500;

type Sealing = Pick<Services, 'db' | 'env'>;
type Sealed = Pick<EvidenceRow['messages'][number], 'id' | 'message_text'> & {
  sender_user_id: string;
  receiver_user_id: string;
};

/** Whoever has not the whole of a message, word for word, cannot make its seal, nor read anything out of it. */
const messageSeal = (
  secret: string,
  { id, sender_user_id, receiver_user_id, message_text }: Sealed,
): string =>
  sign(secret, JSON.stringify(['message', id, sender_user_id, receiver_user_id, message_text]));

/**
 * Keeps seals of messages that are about to be removed: nothing of what they say, but enough to know it again, should their
 * receiver report one of them, whose device still had it. May be repeated.
 */
export async function hashRemovedMessages(services: Sealing, rows: MessageRow[]): Promise<void> {
  const expires_at = new Date(Date.now() + REPORTABLE_MS);
  const writes = rows.flatMap((row) => {
    const names = [row._id, ...(row.former_ids ?? [])];
    const texts = [row.text, ...(row.former_texts ?? [])];
    return names.flatMap((id) =>
      texts.map((message_text) => ({
        updateOne: {
          filter: { _id: messageSeal(services.env.SYNC_SECRET, { ...row, id, message_text }) },
          update: { $setOnInsert: { created_at: row.created_at, expires_at } },
          upsert: true,
        },
      })),
    );
  });
  if (writes.length > 0)
    await removedMessageHashes(services.db).bulkWrite(writes, { ordered: false });
}

/** As `sealMessages`, the newest of a thread by the server's clock: what a message says of its place may be a lie. */
export async function hashThread(services: Sealing, thread_id: string): Promise<void> {
  const all = messages(services.db).find({ thread_id }).hint(OF_THREAD);
  const newest = all.sort({ created_at: -1 }).limit(SEALED_MAX);
  await hashRemovedMessages(services, await newest.toArray());
}

/**
 * A removed message as its receiver says it was, where a seal proves that it was so; null where none does, and where its
 * author's account is deleted: nothing about such a person is kept.
 */
export async function verifyRemovedMessage(
  services: Sealing,
  claimed: Sealed,
): Promise<EvidenceRow['messages'][number] | null> {
  const seals = secretsOf(services.env).map((secret) => messageSeal(secret, claimed));
  const seal = await removedMessageHashes(services.db).findOne({
    _id: { $in: seals },
    expires_at: { $gt: new Date() },
  });
  const author =
    seal &&
    (await users(services.db).findOne({
      _id: claimed.sender_user_id,
      deleted_at: { $exists: false },
    }));
  return author && { ...claimed, created_at: seal.created_at };
}
