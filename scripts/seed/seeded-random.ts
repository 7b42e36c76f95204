import { createHash } from 'node:crypto';

/** Chance that comes out the same again for the same seed. */
export interface Choices {
  /** From 0 up to 1, without 1. */
  uniform(): number;
  /** From `low` to `high`, both included. */
  whole(low: number, high: number): number;
  pick<T>(among: readonly T[]): T;
  chance(share: number): boolean;
}

/** @param of what the chance is for: the same seed and the same words give the same again */
export function choicesFor(seed: number, of: string): Choices {
  let state = createHash('sha256').update(`${seed} ${of}`).digest().readUInt32LE(0);
  const uniform = (): number => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (low: number, high: number) => low + Math.floor(uniform() * (high - low + 1));
  return {
    uniform,
    whole,
    pick(among) {
      const picked = among[whole(0, among.length - 1)];
      if (picked === undefined) throw new Error('there is nothing to choose from');
      return picked;
    },
    chance: (share) => uniform() < share,
  };
}

/** An id that is the same again for the same seed and words. */
export const idFor = (seed: number, of: string): string =>
  createHash('sha256').update(`seed ${seed} ${of}`).digest('base64url').slice(0, 22);
