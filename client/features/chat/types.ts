import type { MessagePhoto, MessageVoice } from '#shared/chat/document.ts';
import type { Reaction } from '#shared/chat/rules.ts';
import { ShownError } from '../../platform/http/shown-error.ts';

/** The delivery status of an own message. `held`: no one else sees it until a moderator has reviewed it. */
export type Delivery = 'device' | 'server' | 'delivered' | 'read' | 'held';

/** A reference to a message of the thread, as its viewer sees it. */
export interface MessageReference {
  number: number;
  isOwn: boolean;
  key: string;
}

/** What a message has besides its text. */
export interface MessageExtras {
  /** The message that it answers. */
  replyTo?: MessageReference | undefined;
  photo?: MessagePhoto | undefined;
  voice?: MessageVoice | undefined;
  placeId?: string | undefined;
}

/** A message that is about to be written, besides its text. */
export interface NewExtras {
  replyTo?: MessageReference;
  /** In pixels. The photo itself follows (`AttachmentOutbox`), as a recording does. */
  photo?: { width: number; height: number };
  voice?: { seconds: number };
  placeId?: string;
}

/** The quoted message of an answer: null while it is not on this device, undefined after it was deleted. */
export interface Quote {
  id: string | null;
  message: ShownMessage | null | undefined;
}

/** A message as a screen shows it. */
export interface ShownMessage extends MessageExtras {
  id: string;
  text: string;
  /** ISO 8601, by its author's clock. */
  at: string;
  isOwn: boolean;
  /** Null for messages of the friend. */
  delivery: Delivery | null;
  /** Of the reader of the message: the friend, or the user for the friend's messages. */
  reaction?: Reaction | undefined;
  isEdited?: boolean;
  /** Of an edited one: the key of its first version, by which reactions and answers refer to it. */
  firstKey?: string;
}

/** A message with its place in the order of a thread. */
export interface PlacedMessage extends ShownMessage {
  seq: number;
}

/** A conversation in the list. */
export interface ShownConversation {
  friend_user_id: string;
  name: string;
  /** The beginning of the last message. */
  preview: string;
  /** Whether the user wrote the last message. */
  isOwn: boolean;
  /** ISO 8601: when the last message was written. */
  last_activity: string;
  /** The id of the last message, where it is on this device. */
  last_id?: string | undefined;
  unread_count: number;
}

/** A message without its delivery status. */
export type MessageText = Pick<ShownMessage, 'id' | 'text' | 'at' | 'isOwn'>;

/** A search result. */
export interface FoundMessage {
  friend_user_id: string;
  name: string;
  message: MessageText;
}

/** Limits that apply to all threads of a user. */
export interface ThreadLimits {
  /** Whether the user may not write for now. */
  isFrozen: boolean;
  /** Ids of messages that are hidden during a review. */
  hidden: ReadonlySet<string>;
  /** Keys of own messages that the user has unsent, which are shown no more. */
  withdrawn: ReadonlySet<string>;
  /** By the key of an own message: its new text, which the server doesn't have yet. */
  edits: ReadonlyMap<string, string>;
}

/** A contiguous range of a thread. */
export interface MessageRange {
  /** First to last. */
  messages: readonly PlacedMessage[];
  /** Whether there are older ones that are not open. */
  hasEarlier: boolean;
  /** Whether there are newer ones outside of it. */
  hasLater: boolean;
}

/** A message cannot be sent for now. Its text tells the user why and what to do. */
export class CannotSendError extends ShownError {}

export const NOT_HERE =
  'This chat hasn’t fully loaded on this device yet. It will once you’re online; then send your message again.';
export const TOO_MUCH_UNSENT =
  'There are too many unsent messages here. Once you’re online and they’ve gone out, send this one again.';

/** A thread for screens. `messages` is the newest range. */
export interface ThreadView extends MessageRange {
  /** Ids of the friend's unread messages, also in older segments, first to last. */
  unread: readonly string[];
  /** Whether the newest segments are here, or what they replace is still shown. */
  isReady: boolean;
  /** Whether storage was read for the newest segments: they are loaded, or not on this device. */
  isLookedUp: boolean;
  /** Whether the user may not write for now. */
  isFrozen: boolean;
  friendIsOnline: boolean;
  friendIsTyping: boolean;
}
