import { createHash } from 'node:crypto';

/** How a message goes out. */
export type Channel = 'email' | 'sms';

interface Addressed {
  /** An e-mail address in lower case, or a phone number in E.164. */
  to: string;
  /** Sent to somebody who did not ask for it: whoever said stop gets none. */
  unsolicited: boolean;
}

export interface Email extends Addressed {
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

export type Message = Email | TextMessage;

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

/** `dropped`: the recipient has unsubscribed. `recalled`: no longer true before it was sent. */
export type DeliveryStatus = 'waiting' | 'sent' | 'failed' | 'dropped' | 'recalled';

/** What senders read about a message: of long ago, and where none goes out, nothing. */
export function deliveryOf(
  { post }: Posting,
  status: DeliveryStatus | undefined,
): 'waiting' | 'sent' | 'failed' | null {
  if (post) return 'waiting';
  return status === 'dropped' || status === 'recalled' ? 'failed' : (status ?? null);
}

/** Under which an address or a number is known without being kept. */
export const addressId = (channel: Channel, to: string): string =>
  createHash('sha256').update(`${channel} ${to}`).digest('base64url');
