import { describe, expect, test } from 'vitest';
import { REPEAT_SECONDS } from '#shared/proximity/rules.ts';
import {
  type ClusterConditions,
  type ClusterLog,
  createSimulatedNodes,
} from '../../bench/cluster/simulated-nodes.ts';
import { meet, WALKERS } from '../../bench/encounters.ts';
import { walkWith } from '../../bench/walkers.ts';

const MEETINGS = 150;

/** Walks through many meetings on a cluster. @returns how many were warned in time, and what the nodes did */
async function walk(conditions: ClusterConditions, meetings = MEETINGS) {
  const logs: ClusterLog[] = [];
  const tally = await meet(
    (walkers, until, walking) => {
      const log: ClusterLog = { events: new Map(), recorded: [] };
      logs.push(log);
      return walkWith(
        (simulation, phones) =>
          createSimulatedNodes(simulation, phones, walking.random, conditions, log),
        walkers,
        until,
        walking,
      );
    },
    WALKERS,
    2.1,
    meetings,
  );
  return { tally, logs };
}

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
    const { tally, logs } = await walk({
      nodes,
      busDelay: [0, 200],
      busLost: 0.01,
      killAt: 105_000,
    });
    expect(tally.both).toBeGreaterThanOrEqual(0.999);
    expect(tally.lead / tally.possible).toBeGreaterThanOrEqual(0.95);
    expect(repeats(logs)).toEqual([]);
    expect(logs.filter(({ recorded }) => recorded.length !== 1)).toEqual([]);
  });
});
