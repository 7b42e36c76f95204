import type { NearbyUser } from '#shared/proximity/contract.ts';
import type { NearbyDog } from './alert-text.ts';
import type { ShownAlert } from './shown-alert.ts';

/** Someone nearby. */
export interface Person {
  user: NearbyUser;
  receivedAt: number;
  cancelOver: () => void;
  takeAway: (() => void)[];
  /** Since when they have been close enough to walk together. */
  closeSince: number | null;
  isAsking: boolean;
  answers: ShownAlert['answers'];
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
