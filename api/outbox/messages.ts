import { createHash } from 'node:crypto';

/** How a message goes out. */
export type Channel = 'email' | 'sms';

interface Addressed {
  /** An e-mail address in lower case, or a phone number in E.164. */
  to: string;
  /** Sent to somebody who did not ask for it: whoever said stop gets none. */
  unasked: boolean;
}

export interface Letter extends Addressed {
  channel: 'email';
  subject: string;
  text: string;
  html: string;
  /** Where the reader says stop; null where there is nothing to stop. */
  unsubscribe_url: string | null;
}

export interface TextMessage extends Addressed {
  channel: 'sms';
  text: string;
}

export type Message = Letter | TextMessage;

/** A row that causes a message: written with it in one act, it carries it until the outbox has it. */
export interface Posting {
  _id: string;
  post?: {
    message: Message;
    at: Date;
    /** What tells it from the row's first message; of one cause always the same. */
    name?: string;
  };
}

/** `outbox`: what is to be sent, and for a while what became of it. */
export interface OutboxRow {
  /** The collection and the id of the row that caused it, and the name of a later message of that row. */
  _id: string;
  channel: Channel;
  /** Taken away once it is settled. */
  message?: Message;
  /** `dropped`: whoever should get it has said stop. `recalled`: it was no longer so before it went out. */
  status: 'waiting' | 'sent' | 'failed' | 'dropped' | 'recalled';
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

/** What senders read about a message: of long ago, and where none goes out, nothing. */
export function deliveryOf(
  { post }: Posting,
  status: OutboxRow['status'] | undefined,
): 'waiting' | 'sent' | 'failed' | null {
  if (post) return 'waiting';
  return status === 'dropped' || status === 'recalled' ? 'failed' : (status ?? null);
}

/** Under which an address or a number is known without being kept. */
export const addressId = (channel: Channel, to: string): string =>
  createHash('sha256').update(`${channel} ${to}`).digest('base64url');
