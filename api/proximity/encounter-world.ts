import type { OffsetOf } from './coarse-location.ts';
import type { Person } from './live.ts';

/** Two people came within the radius. `mover` is the one whose report showed it. */
export interface Encounter {
  mover: Person;
  other: Person;
  distance_feet: number;
}

/** What the engine needs of the world; the bench gives it a simulated one. */
export interface EncounterWorld {
  /** Milliseconds, from no matter when; never back. */
  now(): number;
  /** Runs something once; the answer cancels it. */
  after(milliseconds: number, run: () => void): () => void;
  met(encounter: Encounter): void;
  /** One more dog of `mover` needs space, who is with `other`: it is no new meeting. */
  turnedWary?(encounter: Encounter): void;
  /** The secret offsets of a person's coarse location. */
  offsetOf(userId: string): OffsetOf;
  /** Somebody's promised next report would come too late. */
  hasten(userId: string, nextUpdateSeconds: number): void;
}
