import type { AnswerPhrase } from '#shared/proximity/contract.ts';
import type { NearbyDog } from './alert-text.ts';
import type { Answerer, Verdict } from './verdict.ts';

/** Why a user's alerts are silent: for this walk, or because the owner silenced friends' dogs. */
export type Silence = 'walk' | 'friends';

/** An active alert: one person nearby, with dogs or, quietly, without. */
export interface ShownAlert extends Verdict {
  user_id: string;
  /** Empty for someone anonymous. */
  display_name: string;
  distance_feet: number;
  dogs: NearbyDog[];
  /** Where they are and when they are closest; empty if unknown. */
  course: string;
  /** When it was last received that they are near, in milliseconds since 1970. */
  receivedAt: number;
  /** What they and the owner said by one tap in the last minute. */
  answers: Record<Answerer, AnswerPhrase | null>;
  /** When these answers were received, in milliseconds since 1970. */
  answeredAt: Record<Answerer, number | null>;
  /** What to do by these answers, instead of `advice`; null if they don't change it. */
  answeredAdvice: string | null;
  /** Whether everything has been announced. */
  isAnnounced: boolean;
  /** The distance from which half is announced again; null before an announcement. */
  announcedFeet: number | null;
  /** Shown in a pill instead of the sheet: acknowledged, silenced, without dogs, or beyond the owner's own radius. */
  isFolded: boolean;
  silence: Silence | null;
  /** Whether to ask the owner if they are walking together. */
  isAsking: boolean;
}

/** Whether an alert is shown at all. Someone silenced stays visible only if it is urgent. */
export const isVisible = ({ silence, isUrgent }: ShownAlert): boolean =>
  silence === null || isUrgent;
