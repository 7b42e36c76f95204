import { describe, expect, test } from 'vitest';
import { REPEAT_SECONDS } from '#shared/proximity/rules.ts';
import { WALKERS } from '../../../bench/encounters.ts';
import { type ClusterLog, meetOnNodes } from './simulated-nodes.ts';

const MEETINGS = 150;

/** Returns the seconds between two warnings of the same user that are too close. */
const repeats = (logs: ClusterLog[]): number[] =>
  logs.flatMap(({ events }) =>
    [...events.values()].flatMap((times) =>
      times
        .slice(1)
        .map((at, index) => (at - (times[index] ?? 0)) / 1000)
        .filter((seconds) => seconds < REPEAT_SECONDS - 2),
    ),
  );

describe.each([2, 4])('%s nodes', (nodes) => {
  test('warn both walkers in time, once, while the bus delays and loses messages and a node dies', async () => {
    const conditions = { nodes, busDelay: [0, 200], busLost: 0.01, killAt: 105_000 } as const;
    const { tally, logs } = await meetOnNodes(conditions, WALKERS, 2.1, MEETINGS);
    expect(tally.both).toBeGreaterThanOrEqual(0.999);
    expect(tally.lead / tally.possible).toBeGreaterThanOrEqual(0.95);
    expect(repeats(logs)).toEqual([]);
    expect(logs.filter(({ recorded }) => recorded.length !== 1)).toEqual([]);
  });
});
