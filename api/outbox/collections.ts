import type { Db } from 'mongodb';
import type { Indexes } from '../database.ts';
import type { Channel, DeliveryStatus, Message } from './messages.ts';

/** `outbox`: what is to be sent, and for a while what became of it. */
export interface OutboxRow {
  /** The collection and the id of the row that caused it, and the name of a later message of that row. */
  _id: string;
  channel: Channel;
  /** Taken away once it is settled. */
  message?: Message;
  status: DeliveryStatus;
  attempts: number;
  /** When it is to be tried; while it is being tried, when another may. */
  due_at: Date;
  /** Whose try it is. */
  lease: string | null;
  created_at: Date;
  settled_at: Date | null;
  /** What the provider calls it. */
  provider_id: string | null;
  /** Why the last try failed, in the provider's code. */
  trouble: string | null;
}

/** `opt_outs`: who said stop. The address itself is not kept. */
export interface OptOutRow {
  _id: string;
  channel: Channel;
  at: Date;
}

/** `sandbox_sent`: what would have gone out. */
export interface SandboxSentRow {
  _id: string;
  message: Message;
  at: Date;
}

export const mailQueue = (db: Db) => db.collection<OutboxRow>('outbox');
export const optOuts = (db: Db) => db.collection<OptOutRow>('opt_outs');
export const sandboxSent = (db: Db) => db.collection<SandboxSentRow>('sandbox_sent');

export const outboxIndexes: Indexes = {
  outbox: [{ key: { status: 1, due_at: 1 } }, { key: { settled_at: 1 } }],
  sandbox_sent: [{ key: { at: 1 } }],
};
