import type { PlacedMessage } from './part-pair.ts';

/** What holds for all threads of somebody. */
export interface ThreadLimits {
  /** Whether the owner may write nothing for now. */
  isFrozen: boolean;
  /** Ids of messages that nobody is to see for now. */
  hidden: ReadonlySet<string>;
  /** URLs of own parts in which something was left that had not been sent. */
  unsent: ReadonlySet<string>;
}

/** A stretch of a thread without gaps. */
export interface Stretch {
  /** First to last. */
  messages: readonly PlacedMessage[];
  /** Whether there are older ones that are not open. */
  hasEarlier: boolean;
  /** Whether there are newer ones that do not belong to it. */
  hasLater: boolean;
}

/** A message that cannot be written for now: the words say why and what to do, to whoever wrote it. */
export class Unwritable extends Error {}

export const NOT_HERE =
  'Your own messages of this chat are not on this device yet, and a new one goes after them. They come by themselves with a network: send it again then.';
export const TOO_MUCH_UNSENT =
  'So much was written here without a network that this device has to send that first. Send this again when it has.';

/** A thread as a screen shows it. `messages` are the newest stretch of it. */
export interface ThreadView extends Stretch {
  /** Ids of the friend's that the owner has not read, in older parts too, first to last. */
  unread: readonly string[];
  /** Whether the newest parts are here. */
  isReady: boolean;
  /** Whether all that this device keeps of the newest parts is here: of what it has not, nobody knows when it comes. */
  isLookedUp: boolean;
  /** Whether the owner may write nothing for now. */
  isFrozen: boolean;
  friendIsOnline: boolean;
  friendIsTyping: boolean;
}
