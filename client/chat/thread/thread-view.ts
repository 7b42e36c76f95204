import type { PlacedMessage } from './segment-pair.ts';

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
