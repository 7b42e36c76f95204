import type { AnswerPhrase, NearbyUser } from '#shared/proximity/contract.ts';
import type { NearbyDog } from './alert-text.ts';
import type { Answerer } from './verdict.ts';

/** What one of two walkers told the other. */
interface Answer {
  phrase: AnswerPhrase;
  /** When it was received. */
  at: number;
  /** Cancels its end. */
  cancel: () => void;
}

/** Someone nearby. */
export interface Person {
  user: NearbyUser;
  receivedAt: number;
  cancelOver: () => void;
  takeAway: (() => void)[];
  /** Since when they have been close enough to walk together. */
  closeSince: number | null;
  isAsking: boolean;
  answers: Partial<Record<Answerer, Answer>>;
}

/** The last announcement about a user. */
export interface AlertRecord {
  /** When it was last announced. */
  at: number;
  /** When the user was last near. */
  seenAt: number;
  isUrgent: boolean;
  /** Half of this distance is announced again. */
  feet: number;
  /** The owner has folded the alert. */
  isAcknowledged: boolean;
}

/** @param dog null: the person has come closer, with all their dogs */
export type Queued = { userId: string; dog: NearbyDog | null };
