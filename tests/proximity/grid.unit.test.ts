import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { METERS_PER_DEGREE, metersBetween, type Place } from '#shared/place.ts';
import { CELL_METERS, Grid } from '../../api/features/proximity/engine/grid.ts';

/** Places around a center anywhere on earth, including the date line. */
const neighbourhood = fc
  .tuple(
    fc.double({ min: -89, max: 89, noNaN: true }),
    fc.oneof(
      fc.double({ min: -180, max: 180, noNaN: true }),
      fc.constantFrom(-180, 179.9999, 180, 0),
    ),
    fc.array(
      fc.tuple(
        fc.double({ min: -400, max: 400, noNaN: true }),
        fc.double({ min: -400, max: 400, noNaN: true }),
      ),
      { maxLength: 60 },
    ),
  )
  .map(([latitude, longitude, offsets]) => ({
    centre: { latitude, longitude },
    others: offsets.map(([east, north]) => ({
      latitude: latitude + north / METERS_PER_DEGREE,
      longitude:
        ((longitude + east / METERS_PER_DEGREE / Math.cos((latitude * Math.PI) / 180) + 540) %
          360) -
        180,
    })),
  }));

test('rings find each item once and leave out only items that are far enough away', () => {
  fc.assert(
    fc.property(neighbourhood, fc.integer({ min: 0, max: 5 }), ({ centre, others }, rings) => {
      const grid = new Grid<Place>();
      const items = others;
      for (const item of items) grid.add(item);
      const seen: Place[] = [];
      for (let ring = 0; ring <= rings; ring += 1)
        grid.visitRing(centre, ring, (item) => seen.push(item));
      expect(new Set(seen).size).toBe(seen.length);
      const leftOut = items.filter((item) => !seen.includes(item));
      const nearest = Math.min(...leftOut.map((item) => metersBetween(centre, item)));
      expect(nearest).toBeGreaterThan(rings * CELL_METERS - 0.01);
    }),
  );
});

test('finds moved items at their new place and removed items nowhere', () => {
  fc.assert(
    fc.property(neighbourhood, ({ centre, others }) => {
      const grid = new Grid<Place>();
      const items = others.map(() => ({ ...centre }));
      for (const item of items) grid.add(item);
      items.forEach((item, index) => grid.move(item, others[index] ?? centre));
      items.forEach((item, index) => {
        if (index % 2 === 0) grid.remove(item);
      });
      for (const [index, item] of items.entries()) {
        const here: Place[] = [];
        grid.visitRing(item, 0, (found) => here.push(found));
        expect(here.includes(item)).toBe(index % 2 === 1);
      }
    }),
  );
});
