import type { PlacedMessage } from './part-pair.ts';

/** A stretch of a thread without gaps. */
export interface Stretch {
  /** First to last. */
  messages: readonly PlacedMessage[];
  /** Whether there are older ones that are not open. */
  hasEarlier: boolean;
  /** Whether there are newer ones that do not belong to it. */
  hasLater: boolean;
}

/** A thread as a screen shows it. `messages` are the newest stretch of it. */
export interface ThreadView extends Stretch {
  /** Ids of the friend's that the owner has not read, in older parts too, first to last. */
  unread: readonly string[];
  /** Whether the newest parts are here. */
  isReady: boolean;
  /** Whether the owner may write nothing for now. */
  isFrozen: boolean;
  friendIsOnline: boolean;
  friendIsTyping: boolean;
}
