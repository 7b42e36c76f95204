import { expect, inject, test } from 'vitest';
import { simulate } from './simulation/simulate.ts';

/** `npm run bench -- chat-simulation` plays thousands of others. */
const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? 40);
/** A seed costs about a second of CPU, on both cores: this is for machines that do much else. */
const TIMEOUT_MS = 30 * 60_000;

test(
  'over a network that fails in every way all devices come to agree, nothing acknowledged is lost, and nobody holds what is not theirs',
  async () => {
    const seeds = Array.from({ length: SEEDS }, (_, seed) => seed);
    let played = 0;
    const wrong = await simulate(inject('mongodbUri'), seeds, () => played++);
    const said = Object.entries(wrong).flatMap(([seed, found]) =>
      found.map((each) => `seed ${seed}: ${each}`),
    );
    expect(said).toEqual([]);
    expect(played).toBe(SEEDS);
  },
  TIMEOUT_MS,
);
