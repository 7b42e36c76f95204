import { createHash } from 'node:crypto';

/** How a message is sent. */
export type Channel = 'email' | 'sms';

interface Addressed {
  /** An email address in lower case, or a phone number in E.164. */
  to: string;
  /** The recipient did not ask for it: people who opted out do not get it. */
  unsolicited: boolean;
}

export interface Email extends Addressed {
  channel: 'email';
  subject: string;
  text: string;
  html: string;
  /** Null where there is nothing to unsubscribe from. */
  unsubscribe_url: string | null;
}

export interface TextMessage extends Addressed {
  channel: 'sms';
  text: string;
}

export type Message = Email | TextMessage;

/** The properties of a message that a queue needs. */
export type Queued = { channel: string } & Pick<Addressed, 'unsolicited'>;

/** A row that causes a message: it is stored with the message, which moves to the mail queue afterward (decision 70). */
export interface Posting {
  _id: string;
  post?: {
    message: Message;
    at: Date;
    /** Tells it from the row's first message; always the same for the same cause. */
    name?: string;
  };
}

/** `dropped`: the recipient has unsubscribed. `recalled`: withdrawn before it was sent. */
export type DeliveryStatus = 'waiting' | 'sent' | 'failed' | 'dropped' | 'recalled';

/** Delivery status that is shown to the sender; null for old messages and for rows without one. */
export function deliveryOf(
  { post }: Posting,
  status: DeliveryStatus | undefined,
): 'waiting' | 'sent' | 'failed' | null {
  if (post) return 'waiting';
  return status === 'dropped' || status === 'recalled' ? 'failed' : (status ?? null);
}

/** The hash that stands for an address or number where the address itself is not stored. */
export const addressId = (channel: Channel, to: string): string =>
  createHash('sha256').update(`${channel} ${to}`).digest('base64url');
