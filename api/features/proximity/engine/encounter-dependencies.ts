import type { PositionReport } from '#shared/proximity/contract.ts';
import type { ActiveUser, Person } from './active-user.ts';
import type { OffsetOf } from './coarse-location.ts';
import type { Course } from './course.ts';
import type { SideAnywhere } from './visibility.ts';

/** Two users came within the radius. `mover` is the one whose report showed it. */
export interface Encounter {
  mover: Person;
  other: Person;
  distance_feet: number;
  /** Of an encounter: what each is told of the other's way. */
  courses?: { mover: Course; other: Course };
}

/** A report that another node received, and how it was answered. */
export interface ForeignReport extends PositionReport {
  /** When it was received, in milliseconds of this node's monotonic clock. */
  at: number;
  /** The session of the device that sent it. */
  session: string;
  next_update_seconds: number;
}

/** What the engine needs from its environment; tests and benches simulate it. */
export interface EncounterDependencies {
  /** Returns milliseconds of a monotonic clock. */
  now(): number;
  /** Runs a function once. @returns a function that cancels it */
  after(milliseconds: number, run: () => void): () => void;
  onEncounter(encounter: Encounter): void;
  /** One more dog of `mover` needs space while `other` is with them. It is no new encounter. */
  onSpaceNeeded?(encounter: Encounter): void;
  /** A user's profile or settings were read again. @param before what they were */
  onUpdate?(user: ActiveUser, before: SideAnywhere): void;
  /** A user is about to be forgotten. */
  onRemove?(user: ActiveUser): void;
  /** Returns the secret offsets of a user's coarse location. */
  offsetOf(userId: string): OffsetOf;
  /** Asks a user to report within this many seconds, because their next report would be too late. */
  requestReport(userId: string, seconds: number): void;
}
