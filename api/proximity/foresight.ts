import { RADIUS_METRES } from '#shared/proximity/rules.ts';
import type { EncounterWorld } from './encounter-world.ts';
import { mayMeet, type Live } from './live.ts';
import { course, isKnown, offset } from './track.ts';

/** A course is only believed for so long after the last fix. */
export const BELIEVED_SECONDS = 10;

/** Meetings to which two courses lead, each told at its moment unless something newer says otherwise. */
export class Foresight {
  readonly #world: Pick<EncounterWorld, 'now' | 'after'>;
  readonly #meet: (live: Live, other: Live) => void;

  constructor(
    world: Pick<EncounterWorld, 'now' | 'after'>,
    meet: (live: Live, other: Live) => void,
  ) {
    this.#world = world;
    this.#meet = meet;
  }

  /** @param at when the two will be within the radius, in milliseconds */
  foresee(live: Live, other: Live, at: number): void {
    // A newer fix replaces the moment that an older one foresaw.
    this.cancel(live, other);
    if (at - Math.min(live.fixAt, other.fixAt) > BELIEVED_SECONDS * 1000) return;
    const cancel = this.#world.after(Math.max(0, at - this.#world.now()), () => {
      live.foreseen?.delete(other);
      other.foreseen?.delete(live);
      if (mayMeet(live, other) && bearsOut(live, other, this.#world.now())) this.#meet(live, other);
    });
    (live.foreseen ??= new Map()).set(other, cancel);
    (other.foreseen ??= new Map()).set(live, cancel);
  }

  cancel(one: Live, other: Live): void {
    one.foreseen?.get(other)?.();
    one.foreseen?.delete(other);
    other.foreseen?.delete(one);
  }

  /** Nothing is foreseen of somebody any more. */
  forget(live: Live): void {
    for (const other of live.foreseen?.keys() ?? []) this.cancel(live, other);
  }
}

/** Whether the courses of two have led them within the radius, though their last fixes do not say so yet. */
export function isForeseenWithin(live: Live, other: Live, now: number): boolean {
  const { track: a } = live;
  const { track: b } = other;
  if (!a || !b || !isKnown(a) || !isKnown(b) || !mayMeet(live, other)) return false;
  if (now - Math.min(live.fixAt, other.fixAt) > BELIEVED_SECONDS * 1000) return false;
  return course(a, b, now, RADIUS_METRES).entersIn === 0 && bearsOut(live, other, now);
}

/** Whether the last fixes themselves, not only the smoothed courses, allow that the two are this close. */
function bearsOut(live: Live, other: Live, now: number): boolean {
  const { track: a } = live;
  const { track: b } = other;
  if (!a || !b) return false;
  const { east, north } = offset(live, other);
  const covered =
    (Math.hypot(a.east, a.north) * (now - live.fixAt) +
      Math.hypot(b.east, b.north) * (now - other.fixAt)) /
    1000;
  return Math.hypot(east, north) - covered <= RADIUS_METRES + 1 + Math.sqrt(a.error + b.error);
}
