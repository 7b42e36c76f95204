import type { Place } from '#shared/place.ts';

interface Entry {
  at: number;
  order: number;
  run: (() => void) | null;
}

/** Simulated time: things happen in order, as fast as they can be computed. Milliseconds. */
export class Simulation {
  #now = 0;
  #order = 0;
  #settled = false;
  readonly #heap: Entry[] = [];
  readonly #turns: number;

  /** @param turns how many promises in a row may settle without `settled` being called */
  constructor(turns = 4) {
    this.#turns = turns;
  }

  now = (): number => this.#now;

  after = (milliseconds: number, run: () => void): (() => void) => {
    const entry: Entry = { at: this.#now + milliseconds, order: (this.#order += 1), run };
    this.#push(entry);
    return () => {
      entry.run = null;
    };
  };

  /** Call it after settling a promise: code that awaits it continues before the time does. */
  settled = (): void => {
    this.#settled = true;
  };

  /** Lets everything happen that is due before `until`, promises included. */
  async run(until: number): Promise<void> {
    for (;;) {
      const entry = this.#heap[0];
      if (!entry || entry.at > until) break;
      this.#pop();
      this.#now = entry.at;
      entry.run?.();
      while (this.#settled) {
        this.#settled = false;
        for (let turn = 0; turn < this.#turns; turn += 1) await Promise.resolve();
      }
    }
    this.#now = until;
  }

  #less(a: number, b: number): boolean {
    const one = this.#heap[a];
    const other = this.#heap[b];
    if (!one || !other) return false;
    return one.at < other.at || (one.at === other.at && one.order < other.order);
  }

  #swap(a: number, b: number): void {
    const one = this.#heap[a];
    const other = this.#heap[b];
    if (one && other) {
      this.#heap[a] = other;
      this.#heap[b] = one;
    }
  }

  #push(entry: Entry): void {
    let index = this.#heap.push(entry) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#less(index, parent)) break;
      this.#swap(index, parent);
      index = parent;
    }
  }

  #pop(): void {
    const last = this.#heap.pop();
    if (!last || this.#heap.length === 0) return;
    this.#heap[0] = last;
    let index = 0;
    for (;;) {
      let least = index;
      if (this.#less(2 * index + 1, least)) least = 2 * index + 1;
      if (this.#less(2 * index + 2, least)) least = 2 * index + 2;
      if (least === index) return;
      this.#swap(index, least);
      index = least;
    }
  }
}

/** Numbers that look random and are the same in every run (mulberry32). */
export function randomFrom(seed: number) {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    uniform,
    between: (least: number, most: number) => least + (most - least) * uniform(),
    /** Normally distributed around 0. */
    normal: (deviation: number) =>
      deviation === 0
        ? 0
        : deviation * Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
  };
}
export type Random = ReturnType<typeof randomFrom>;

/** Meters east and north of the middle of the simulated world. */
export interface Spot {
  east: number;
  north: number;
}
/** A person's position at a time in milliseconds. */
export type Path = (at: number) => Spot;

const MIDDLE = { latitude: 51.5, longitude: -0.12 };
const METERS_PER_DEGREE = (6_378_100 * Math.PI) / 180;

const METERS_PER_DEGREE_EAST = METERS_PER_DEGREE * Math.cos((MIDDLE.latitude * Math.PI) / 180);

export const placeOf = (spot: Spot): Place => ({
  latitude: MIDDLE.latitude + spot.north / METERS_PER_DEGREE,
  longitude: MIDDLE.longitude + spot.east / METERS_PER_DEGREE_EAST,
});

export const spotOf = ({ latitude, longitude }: Place): Spot => ({
  east: (longitude - MIDDLE.longitude) * METERS_PER_DEGREE_EAST,
  north: (latitude - MIDDLE.latitude) * METERS_PER_DEGREE,
});

export const apart = (a: Spot, b: Spot): number => Math.hypot(a.east - b.east, a.north - b.north);
