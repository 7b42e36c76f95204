import { expect, inject, test } from 'vitest';
import { simulate } from './simulation/simulate.ts';

/** `SIMULATION_SEEDS=300` plays more of them, as `npm run bench -- chat-simulation` does; `SIMULATION_SEED=7` plays one seed alone; with `SIMULATION_LOG=1` devices show what they log. */
const only = process.env['SIMULATION_SEED'];
const COUNT = Number(process.env['SIMULATION_SEEDS'] ?? 12);
const SEEDS = only ? [Number(only)] : Array.from({ length: COUNT }, (_, seed) => seed);

test('whatever the network does, all agree, nothing acknowledged is lost, and nobody holds what is not theirs', async () => {
  expect(await simulate(inject('mongodbUri'), SEEDS)).toEqual({});
}, 900_000);
