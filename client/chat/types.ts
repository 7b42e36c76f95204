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

/** A message with its place in the order of a thread. */
export interface PlacedMessage extends ShownMessage {
  seq: number;
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

/** What holds for all threads of somebody. */
export interface ThreadLimits {
  /** Whether the owner may write nothing for now. */
  isFrozen: boolean;
  /** Ids of messages that nobody is to see for now. */
  hidden: ReadonlySet<string>;
  /** URLs of own segments in which something was left that had not been sent. */
  unsent: ReadonlySet<string>;
}

/** A stretch of a thread without gaps. */
export interface MessageRange {
  /** First to last. */
  messages: readonly PlacedMessage[];
  /** Whether there are older ones that are not open. */
  hasEarlier: boolean;
  /** Whether there are newer ones that do not belong to it. */
  hasLater: boolean;
}

/** A message that cannot be written for now: the words say why and what to do, to whoever wrote it. */
export class CannotSendError extends Error {}

export const NOT_HERE =
  'This chat hasn’t fully loaded on this device yet. It will once you’re online; then send your message again.';
export const TOO_MUCH_UNSENT =
  'There are too many unsent messages here. Once you’re online and they’ve gone out, send this one again.';

/** A thread as a screen shows it. `messages` are the newest stretch of it. */
export interface ThreadView extends MessageRange {
  /** Ids of the friend's that the owner has not read, in older segments too, first to last. */
  unread: readonly string[];
  /** Whether the newest segments are here. */
  isReady: boolean;
  /** Whether all that this device keeps of the newest segments is here: of what it has not, nobody knows when it comes. */
  isLookedUp: boolean;
  /** Whether the owner may write nothing for now. */
  isFrozen: boolean;
  friendIsOnline: boolean;
  friendIsTyping: boolean;
}
