import { expect, test } from 'vitest';
import { createSingleNodeBus } from '#shared/bus/bus.ts';
import type { EncounterEngine } from '../../../api/features/proximity/engine/encounter-engine.ts';
import { cellOf } from '../../../api/features/proximity/nodes/followed-cells.ts';
import { PositionExchange } from '../../../api/features/proximity/nodes/position-exchange.ts';
import { EventStreams } from '../../../api/platform/events/event-streams.ts';

const WALKERS = 200;

test('walkers who set out together are looked up together', async () => {
  const reads = { cells: 0, users: 0, profiles: 0, encounters: 0 };
  const asked = { cells: new Set<string>(), users: new Set<string>() };
  const fail = (found: unknown) => {
    throw new Error('logged', { cause: found });
  };
  const bus = createSingleNodeBus();
  const known: Partial<EncounterEngine> = { user: () => undefined };
  const exchange = new PositionExchange(
    {
      clock: { now: () => performance.now(), wall: () => Date.now(), after: () => () => {} },
      bus,
      events: new EventStreams(bus),
      positions: {
        put: async () => {},
        remove: async () => {},
        removeStale: async () => {},
        removeAllStale: async () => {},
        async *inCells(cells) {
          reads.cells += 1;
          for (const cell of cells) asked.cells.add(cell);
          yield [];
        },
        async ofUsers(userIds) {
          reads.users += 1;
          for (const userId of userIds) asked.users.add(userId);
          return [];
        },
      },
      profiles: {
        of: fail,
        async read() {
          reads.profiles += 1;
          return new Map();
        },
        invalidate() {},
        invalidateAll() {},
      },
      encounters: {
        after: async () => [],
        since: async () => [],
        async recentAmong() {
          reads.encounters += 1;
          return [];
        },
      },
      log: { warn: fail },
    },
    known as EncounterEngine,
    { observe: fail },
  );
  try {
    const cells = Array.from({ length: WALKERS }, (_, i) =>
      cellOf({ latitude: 10, longitude: 20 + i / 2 }),
    );
    await Promise.all(cells.map((cell, i) => exchange.follow(`walker ${i}`, cell)));
    expect(cells.every((cell) => asked.cells.has(cell))).toBe(true);
    expect(asked.users.size).toBe(WALKERS);
    expect(reads).toEqual({ cells: 1, users: 1, profiles: 0, encounters: 0 });
  } finally {
    exchange.close();
  }
});
