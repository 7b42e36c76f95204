import type { NearbyUser } from '#shared/proximity/contract.ts';
import type { Placed } from './grid.ts';
import type { Track } from './track.ts';

/** What an answer tells of somebody, and whom they must not meet in it. */
export interface Person {
  user_id: string;
  display_name: string;
  dogs: NearbyUser['dogs'];
  /** Users whom this one blocked, and users who blocked this one. */
  blocked: ReadonlySet<string>;
}

/** Somebody who shares a position now. Times in milliseconds. */
export interface Live extends Placed {
  person: Person;
  /** When the fix was taken, when its report came, and when the next one is due. */
  fixAt: number;
  reportedAt: number;
  promisedAt: number;
  track: Track | null;
  /** Who was told of whom and has not parted since; made when needed. */
  inside: Set<Live> | null;
  /** Meetings that the courses foresee, by the other person; each can be cancelled. */
  foreseen: Map<Live, () => void> | null;
}

export const mayMeet = (a: Live, b: Live): boolean =>
  !a.person.blocked.has(b.person.user_id) && !b.person.blocked.has(a.person.user_id);
