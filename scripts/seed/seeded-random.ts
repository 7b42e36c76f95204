import { createHash } from 'node:crypto';

/** A random number generator with a seed: the same seed gives the same numbers. */
export interface Random {
  /** Returns a number from 0 to 1, exclusive. */
  uniform(): number;
  /** Returns a whole number from `low` to `high`, inclusive. */
  integer(low: number, high: number): number;
  pick<T>(among: readonly T[]): T;
  /** Returns true with this probability. */
  chance(probability: number): boolean;
}

/** Creates a generator. @param purpose distinguishes generators of the same seed */
export function createRandom(seed: number, purpose: string): Random {
  let state = createHash('sha256').update(`${seed} ${purpose}`).digest().readUInt32LE(0);
  const uniform = (): number => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (low: number, high: number) => low + Math.floor(uniform() * (high - low + 1));
  return {
    uniform,
    integer,
    pick(among) {
      const picked = among[integer(0, among.length - 1)];
      if (picked === undefined) throw new Error('nothing to choose from');
      return picked;
    },
    chance: (probability) => uniform() < probability,
  };
}

/** Returns an id that depends on the seed and the purpose only. */
export const idFor = (seed: number, purpose: string): string =>
  createHash('sha256').update(`seed ${seed} ${purpose}`).digest('base64url').slice(0, 22);

/** As `idFor`, in the format of ids that devices make. */
export function uuidFor(seed: number, purpose: string): string {
  const hex = createHash('sha256').update(`seed ${seed} ${purpose}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
