/** Where a message of one's own truly is. `held`: nobody else sees it until a moderator has looked at it. */
export type Delivery = 'device' | 'server' | 'delivered' | 'read' | 'held';

/** A message as a screen shows it. */
export interface ShownMessage {
  id: string;
  text: string;
  /** ISO 8601, by its author's clock. */
  at: string;
  isOwn: boolean;
  /** Null of the other's messages. */
  delivery: Delivery | null;
}

/** A friend in the list of conversations. */
export interface ShownConversation {
  friend_user_id: string;
  name: string;
  /** The beginning of the last message. */
  preview: string;
  /** Whether the last message is one's own. */
  isOwn: boolean;
  /** ISO 8601: when the last message was written. */
  last_activity: string;
  /** The id of the last message, where it is on this device. */
  last_id?: string | undefined;
  unread_count: number;
}

/** What a message says, wherever it is. */
export type MessageText = Pick<ShownMessage, 'id' | 'text' | 'at' | 'isOwn'>;

/** A message that was looked for and found. */
export interface FoundMessage {
  friend_user_id: string;
  name: string;
  message: MessageText;
}
