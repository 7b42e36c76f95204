import { expect, inject, test } from 'vitest';
import { simulate } from './simulation/simulate.ts';

/** `npm run bench -- chat-simulation` runs thousands of other seeds. */
const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? 40);
/** A seed takes about a second of CPU. The timeout leaves room for busy machines. */
const TIMEOUT_MS = 30 * 60_000;

test(
  'on an unreliable network all devices converge, no acknowledged message is lost, and no device stores foreign data',
  async () => {
    const seeds = Array.from({ length: SEEDS }, (_, seed) => seed);
    let played = 0;
    const wrong = await simulate(inject('mongodbUri'), seeds, () => played++);
    const failures = Object.entries(wrong).flatMap(([seed, found]) =>
      found.map((each) => `seed ${seed}: ${each}`),
    );
    expect(failures).toEqual([]);
    expect(played).toBe(SEEDS);
  },
  TIMEOUT_MS,
);
