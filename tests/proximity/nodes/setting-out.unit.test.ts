import { expect, test } from 'vitest';
import { createSingleNodeBus } from '#shared/bus/bus.ts';
import type { EncounterEngine } from '../../../api/features/proximity/engine/encounter-engine.ts';
import { cellOf } from '../../../api/features/proximity/nodes/followed-cells.ts';
import { PositionExchange } from '../../../api/features/proximity/nodes/position-exchange.ts';
import { EventStreams } from '../../../api/platform/events/event-streams.ts';

const WALKERS = 200;
const cellNumber = (i: number) => cellOf({ latitude: 10, longitude: 20 + i / 2 });

/** A node that knows nobody. @param readCells is called for each read of cells */
function startedNode(readCells: (cells: string[]) => void | Promise<void> = () => {}) {
  const reads = { cells: 0, users: 0, profiles: 0, encounters: 0 };
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
          await readCells(cells);
          yield [];
        },
        async ofUsers() {
          reads.users += 1;
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
  return { exchange, reads };
}

test('walkers who set out together are looked up together', async () => {
  const asked = new Set<string>();
  const { exchange, reads } = startedNode((cells) => {
    for (const cell of cells) asked.add(cell);
  });
  const cells = Array.from({ length: WALKERS }, (_, i) => cellNumber(i));
  await Promise.all(cells.map((cell, i) => exchange.follow(`walker ${i}`, cell)));
  expect(cells.every((cell) => asked.has(cell))).toBe(true);
  expect(reads).toEqual({ cells: 1, users: 1, profiles: 0, encounters: 0 });
  exchange.close();
});

test('a read that fails fails the walker beside it only', async () => {
  const { exchange } = startedNode((cells) => {
    if (cells.includes(cellNumber(7))) throw new Error('a damaged row');
  });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => exchange.follow(`walker ${i}`, cellNumber(i))),
  );
  const failed = outcomes.flatMap(({ status }, i) => (status === 'rejected' ? [i] : []));
  expect(failed).toEqual([7]);
  exchange.close();
});

test('a read that hangs holds up nobody who sets out later', async () => {
  const { exchange, reads } = startedNode((cells) =>
    cells.includes(cellNumber(0)) ? new Promise<void>(() => {}) : undefined,
  );
  void exchange.follow('stuck', cellNumber(0));
  await new Promise((resolve) => setTimeout(resolve, 50));
  await exchange.follow('free', cellNumber(9));
  expect(reads).toMatchObject({ cells: 2, users: 1 });
  exchange.close();
});
