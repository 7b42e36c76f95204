import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { metersBetween } from '#shared/place.ts';
import { RADIUS_METERS } from '#shared/proximity/rules.ts';
import {
  COARSE_ERROR_METERS,
  coarsePlace,
  createOffsets,
  OFFSET_MAX_METERS,
  OFFSET_MIN_METERS,
  ringOffset,
} from '../../api/features/proximity/engine/coarse-location.ts';
import { attack } from '../../bench/privacy.ts';
import { Arena } from '../../bench/privacy/arena.ts';
import { ATTACKS } from '../../bench/privacy/attacks.ts';
import { median } from '../../bench/quantiles.ts';
import { apart, placeOf, randomFrom, spotOf, type Spot } from '../../bench/simulation.ts';

describe('an attacker with up to three accounts', () => {
  test.each(ATTACKS.map((how) => [how.name, how] as const))(
    'the attack “%s” does not locate a person to better than 25 m',
    async (_, how) => {
      const { errors } = await attack(how, 20);
      expect(median(errors)).toBeGreaterThanOrEqual(25);
    },
  );
});

const spot = (meters: number) =>
  fc.record({
    east: fc.double({ min: -meters, max: meters, noNaN: true }),
    north: fc.double({ min: -meters, max: meters, noNaN: true }),
  });

test('responses depend only on the coarse location of a person who is not notified', async () => {
  await fc.assert(
    fc.asyncProperty(
      spot(60),
      spot(20),
      fc.array(
        fc.record({
          account: fc.integer({ min: 0, max: 1 }),
          spot: spot(300),
          radius: fc.constantFrom(100, 200, 250, 300, 500),
          pause: fc.integer({ min: 0, max: 20_000 }),
        }),
        { minLength: 5, maxLength: 40 },
      ),
      fc.integer(),
      async (victim, moved, reports, seed) => {
        const other = { east: victim.east + moved.east, north: victim.north + moved.north };
        const far = reports.filter(
          (report) =>
            Math.min(apart(report.spot, victim), apart(report.spot, other)) > RADIUS_METERS + 1,
        );
        const watch = async (at: Spot) => {
          const arena = new Arena(randomFrom(seed), () => at, ['one', 'two']);
          const coarse = arena.coarseOf();
          const answers: unknown[] = [];
          for (const report of far) {
            await arena.pass(report.pause);
            const account = arena.accounts[report.account]!;
            answers.push(await account.report(report.spot, { radius_feet: report.radius }));
          }
          // Predicted paths may meet although no one reported from there.
          fc.pre(!arena.isVictimNotified);
          return { coarse, seen: { answers, sent: arena.accounts.map(({ sent }) => sent) } };
        };
        const [one, two] = [await watch(victim), await watch(other)];
        fc.pre(metersBetween(one.coarse!, two.coarse!) < 0.01);
        expect(two.seen).toEqual(one.seen);
      },
    ),
    { numRuns: 150 },
  );
  // Takes ten seconds or more on shared cores.
}, 180_000);

test('a blocked person’s responses depend only on the coarse location of the other, however near they are', async () => {
  await fc.assert(
    fc.asyncProperty(
      spot(60),
      spot(20),
      fc.array(fc.record({ spot: spot(200), pause: fc.integer({ min: 0, max: 20_000 }) }), {
        minLength: 5,
        maxLength: 40,
      }),
      fc.integer(),
      async (victim, moved, reports, seed) => {
        const other = { east: victim.east + moved.east, north: victim.north + moved.north };
        const watch = async (at: Spot) => {
          const arena = new Arena(randomFrom(seed), () => at, ['one'], ['one']);
          const coarse = [arena.coarseOf(), arena.anonymousCoarse()];
          const [account] = arena.accounts;
          const answers: unknown[] = [];
          for (const { spot: place, pause } of reports) {
            await arena.pass(pause);
            answers.push(await account!.report(place));
          }
          return { coarse, seen: { answers, sent: account!.sent } };
        };
        const [one, two] = [await watch(victim), await watch(other)];
        for (const index of [0, 1])
          fc.pre(metersBetween(one.coarse[index]!, two.coarse[index]!) < 0.01);
        expect(two.seen).toEqual(one.seen);
      },
    ),
    { numRuns: 100 },
  );
}, 180_000);

describe('a coarse location', () => {
  test('is never farther from the real location than assumed, at any latitude', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -85, max: 85, noNaN: true }),
        fc.double({ min: -180, max: 180, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (latitude, longitude, direction, distance) => {
          const coarse = coarsePlace({ latitude, longitude }, ringOffset(direction, distance));
          expect(metersBetween({ latitude, longitude }, coarse)).toBeLessThanOrEqual(
            COARSE_ERROR_METERS,
          );
        },
      ),
    );
  });

  test('has an offset that is the same for each viewer and differs by person, place, month and secret', () => {
    const secret = 'a secret of the servers';
    const noon = Date.UTC(2026, 10, 24, 12);
    const offset = (userId: string, at = noon, east = 0, key = secret) =>
      createOffsets(key)(userId, () => at)(placeOf({ east, north: 0 }));
    const ann = offset('ann');
    expect(offset('ann')).toEqual(ann);
    expect(offset('ann', noon + 3_600_000)).toEqual(ann);
    expect(offset('bob')).not.toEqual(ann);
    expect(offset('ann', noon, 700)).not.toEqual(ann);
    expect(offset('ann', noon + 31 * 86_400_000)).not.toEqual(ann);
    expect(offset('ann', noon, 0, 'another secret')).not.toEqual(ann);
    for (let east = 0; east < 60_000; east += 600) {
      const meters = Math.hypot(offset('ann', noon, east).east, offset('ann', noon, east).north);
      expect(meters).toBeGreaterThanOrEqual(OFFSET_MIN_METERS);
      expect(meters).toBeLessThanOrEqual(OFFSET_MAX_METERS);
    }
  });

  test('can’t be averaged out by watching a home for thirty days', () => {
    const random = randomFrom(1);
    const errors = Array.from({ length: 200 }, (_, victim) => {
      const home = { east: random.between(-500, 500), north: random.between(-500, 500) };
      const seen = Array.from({ length: 30 }, (__, day) => {
        const offsetOf = createOffsets('a secret')(`victim ${victim}`, () => day * 86_400_000);
        return spotOf(coarsePlace(placeOf(home), offsetOf(placeOf(home))));
      });
      const mean = (of: (spot: Spot) => number) =>
        seen.reduce((sum, spot) => sum + of(spot), 0) / seen.length;
      return apart({ east: mean(({ east }) => east), north: mean(({ north }) => north) }, home);
    });
    expect(median(errors)).toBeGreaterThanOrEqual(25);
  });
});

test('the simulation’s coordinates match real distances', () => {
  expect(
    metersBetween(placeOf({ east: 0, north: 0 }), placeOf({ east: 30, north: 40 })),
  ).toBeCloseTo(50, 1);
});
