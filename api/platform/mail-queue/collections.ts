import type { Db } from 'mongodb';
import type { Indexes } from '../database.ts';
import type { Channel, DeliveryStatus, Message, Queued } from './messages.ts';

/** A message that a `QueueWorker` sends; in `outbox`, the stored name of the mail queue, with the status of messages that were sent. */
export interface QueueRow<M extends Queued = Message> {
  /** The collection and id of the row that caused it, and for later messages of that row their name. */
  _id: string;
  channel: M['channel'];
  /** Removed once the message is sent or given up. */
  message?: M;
  status: DeliveryStatus;
  attempts: number;
  /** When to try next; during a try, when its lease expires. */
  due_at: Date;
  /** The current try. */
  lease: string | null;
  created_at: Date;
  settled_at: Date | null;
  /** The provider's id of the message. */
  provider_id: string | null;
  /** Why the last try failed. */
  error_code: string | null;
}

/** `opt_outs`: hashes of unsubscribed addresses. */
export interface OptOutRow {
  /** The `addressId`. */
  _id: string;
  channel: Channel;
  at: Date;
}

/** `sandbox_sent`: messages that the sandbox stored instead of sending them. */
export interface SandboxSentRow {
  _id: string;
  message: Message;
  at: Date;
}

/** Matches messages that could not be delivered; the filter of a partial index. */
export const UNDELIVERED = { status: 'failed' as const };

export const queuedMail = (db: Db) => db.collection<QueueRow>('outbox');
export const optOuts = (db: Db) => db.collection<OptOutRow>('opt_outs');
export const sandboxSent = (db: Db) => db.collection<SandboxSentRow>('sandbox_sent');

export const mailQueueIndexes: Indexes = {
  outbox: [
    { key: { status: 1, due_at: 1 } },
    { key: { settled_at: 1 } },
    {
      name: 'undelivered',
      key: { settled_at: -1, _id: -1 },
      partialFilterExpression: UNDELIVERED,
    },
  ],
  sandbox_sent: [{ key: { at: 1 } }],
};
