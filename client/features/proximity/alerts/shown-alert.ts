import type { AnswerPhrase } from '#shared/proximity/contract.ts';
import type { NearbyDog } from './alert-text.ts';
import type { Verdict } from './verdict.ts';

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
  /** What they and the owner said by one tap in this encounter. */
  answers: { theirs: AnswerPhrase | null; own: AnswerPhrase | null };
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
