import type { AnswerPhrase, NearbyUser } from '#shared/proximity/contract.ts';
import { ANSWER_SHOWN_SECONDS } from '#shared/proximity/rules.ts';
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

/** What two walkers told each other, without timers. */
export type StoredAnswers = Partial<Record<Answerer, Pick<Answer, 'phrase' | 'at'> | undefined>>;

export const ANSWER_SHOWN_MS = ANSWER_SHOWN_SECONDS * 1000;

/** Returns the answers that are shown: timers of a page in the background are late. */
export function currentAnswers(
  given: Person['answers'] | undefined,
  now: number,
): Record<Answerer, Answer | null> {
  const current = (answer: Answer | undefined) =>
    answer && Math.abs(now - answer.at) < ANSWER_SHOWN_MS ? answer : null;
  return { theirs: current(given?.theirs), own: current(given?.own) };
}

/** Returns answers without their timers. */
export const storedAnswers = ({ theirs, own }: Record<Answerer, Answer | null>): StoredAnswers => ({
  ...(theirs && { theirs: { phrase: theirs.phrase, at: theirs.at } }),
  ...(own && { own: { phrase: own.phrase, at: own.at } }),
});

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
