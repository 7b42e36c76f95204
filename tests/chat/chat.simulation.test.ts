import { expect, inject, test } from 'vitest';
import { simulate } from './simulation/simulate.ts';

/** A seed takes about a second of CPU. The timeout leaves room for busy machines. */
const TIMEOUT_MS = 30 * 60_000;
/** `npm run bench -- chat-simulation` runs thousands of other seeds. */
const ROWS = [
  { nodes: 1, from: 0, seeds: Number(process.env['SIMULATION_SEEDS'] ?? 34) },
  { nodes: 2, from: 100, seeds: 3 },
  { nodes: 3, from: 200, seeds: 2 },
];

test.each(ROWS)(
  'on an unreliable network with $nodes sync nodes, all devices converge, no acknowledged message is lost, and no device stores foreign data',
  async ({ nodes, from, seeds: count }) => {
    const seeds = Array.from({ length: count }, (_, seed) => from + seed);
    let played = 0;
    const wrong = await simulate(inject('mongodbUri'), seeds, { nodes, onSeed: () => played++ });
    const failures = Object.entries(wrong).flatMap(([seed, found]) =>
      found.map((each) => `seed ${seed}: ${each}`),
    );
    expect(failures).toEqual([]);
    expect(played).toBe(count);
  },
  TIMEOUT_MS,
);
