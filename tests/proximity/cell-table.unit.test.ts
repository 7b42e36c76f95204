import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CellTable } from '../../api/proximity/cell-table.ts';

/** Few places, so that cells are taken and left again and blocks stand in each other's way; and far ones. */
const cell = fc.tuple(
  fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 313_000, max: 313_083 })),
  fc.oneof(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 625_000, max: 626_174 })),
);
const write = fc.record({
  cell,
  value: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 1_000_000 })),
});

test('a cell has what it was given last, and those beside it what they were given', () => {
  fc.assert(
    fc.property(fc.array(write, { maxLength: 600 }), (writes) => {
      const table = new CellTable();
      const model = new Map<string, number>();
      for (const { cell: at, value } of writes) {
        table.set(...at, value);
        model.set(at.join(' '), value);
      }
      for (const {
        cell: [row, column],
      } of writes)
        for (const [r, c] of [
          [row, column],
          [row + 1, column],
          [row, column + 1],
        ] as const)
          expect(table.get(r, c)).toBe(model.get(`${r} ${c}`) ?? 0);
    }),
  );
});

test('a hundred thousand blocks are found while they come, while they go, and none when all are gone', () => {
  const table = new CellTable();
  const cells = Array.from(
    { length: 100_000 },
    (_, index) => [(index * 7919) % 300_000, (index * 104_729) % 600_000] as const,
  );
  cells.forEach(([row, column], index) => table.set(row, column, index + 1));
  expect(cells.every(([row, column], index) => table.get(row, column) === index + 1)).toBe(true);
  const [gone, left] = [cells.filter((_, i) => i % 2 === 0), cells.filter((_, i) => i % 2 === 1)];
  for (const [row, column] of gone) table.set(row, column, 0);
  expect(gone.every(([row, column]) => table.get(row, column) === 0)).toBe(true);
  expect(left.every(([row, column], index) => table.get(row, column) === index * 2 + 2)).toBe(true);
  for (const [row, column] of left) table.set(row, column, 0);
  expect(cells.every(([row, column]) => table.get(row, column) === 0)).toBe(true);
});
