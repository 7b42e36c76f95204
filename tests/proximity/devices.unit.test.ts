import { describe, expect, test } from 'vitest';
import { metersBetween, type Place } from '#shared/place.ts';
import type { Person } from '../../api/features/proximity/engine/active-user.ts';
import { EncounterEngine } from '../../api/features/proximity/engine/encounter-engine.ts';
import { placeOf, randomFrom, Simulation } from '../../bench/simulation.ts';
import { QUICK, walkOurs, type Walker } from '../../bench/walkers.ts';
import { NO_OFFSET } from './no-offset.ts';

const person = (user_id: string): Person => ({
  user_id,
  display_name: user_id,
  dogs: [{ name: 'Rex', sound_type: 'leash_off', image_key: null }],
  blocked: new Set(),
});

/** The engine on simulated time. `at` reports a person in meters north of the center from one of their devices. */
function park() {
  const time = new Simulation();
  const encounters: [at: number, mover: string, other: string][] = [];
  const engine = new EncounterEngine({
    now: time.now,
    after: time.after,
    offsetOf: () => () => NO_OFFSET,
    onEncounter: ({ mover, other }) =>
      encounters.push([time.now() / 1000, mover.user_id, other.user_id]),
    requestReport: () => {},
  });
  const at = (who: string, device: string, north: number) =>
    engine.report(person(who), placeOf({ east: 0, north }), `${who}'s ${device}`);
  return { time, engine, encounters, at };
}

describe('an owner with a device at home', () => {
  /** Ann and Bob stand together until `until`, each reporting every 10 s; Ann's laptop reports from 400 m away every `homeEvery` s. */
  async function stand(homeEvery: number, until: number) {
    const world = park();
    for (let second = 0; second <= until; second += 1) {
      await world.time.run(second * 1000);
      if (second % 10 === 0) world.at('ann', 'phone', 0);
      if (second % 10 === 4) world.at('bob', 'phone', 10);
      if (second % homeEvery === 7) world.at('ann', 'laptop', 400);
    }
    return world;
  }

  test.each([30, 8])(
    'records one encounter although a device at home reports every %i s',
    async (every) => {
      const { encounters } = await stand(every, 600);
      expect(encounters).toEqual([[4, 'bob', 'ann']]);
    },
  );

  test('ends an encounter by the device that was there, and records the next one', async () => {
    const { at, encounters, time } = await stand(30, 100);
    await time.run(110_000);
    at('ann', 'laptop', 400);
    at('ann', 'phone', 100);
    await time.run(150_000);
    at('ann', 'phone', 10);
    expect(encounters.map(([second]) => second)).toEqual([4, 150]);
  });

  test('ends an encounter when the other person leaves while the laptop has the position', async () => {
    const { at, encounters, time } = await stand(30, 100);
    at('ann', 'laptop', 400);
    at('bob', 'phone', 200);
    at('ann', 'phone', 0);
    await time.run(150_000);
    at('bob', 'phone', 5);
    expect(encounters.map(([second]) => second)).toEqual([4, 150]);
  });

  test('ends an encounter when the device that was there is silent for two minutes', async () => {
    const { at, encounters, time } = await stand(30, 100);
    for (let second = 110; second <= 230; second += 10) {
      await time.run(second * 1000);
      at('ann', 'laptop', 400);
      at('bob', 'phone', 10);
    }
    at('ann', 'tablet', 10);
    expect(encounters.map(([second]) => second)).toEqual([4, 230]);
  });
});

test('tells the device that was left behind, and only that one', async () => {
  const { at, time } = park();
  at('ann', 'tablet', 0);
  const told = [];
  for (let second = 0; second <= 60; second += 10) {
    await time.run(second * 1000);
    const [phone, tablet] = [at('ann', 'phone', second * 1.4), at('ann', 'tablet', 0)];
    told.push([phone.is_left_behind, tablet.is_left_behind]);
  }
  // Until one of them has moved by 100 ft, it isn't known which one is carried.
  expect(told.slice(3)).toEqual(Array.from({ length: 4 }, () => [undefined, true]));
  await time.run(200_000);
  expect(at('ann', 'tablet', 0).is_left_behind).toBeUndefined();
});

/** The engine on simulated time. Ann walks north from home at 1.4 m/s with her phone, and her laptop stays there. */
async function walk(until: number, homeEvery = 30) {
  const world = park();
  const step = async (second: number) => {
    await world.time.run(second * 1000);
    if (second % 30 === 0) world.at('ann', 'phone', second * 1.4);
    if (second % homeEvery === 7) world.at('ann', 'laptop', 0);
  };
  for (let second = 0; second <= until; second += 1) await step(second);
  return { ...world, step, ann: () => Math.round(metersNorth(world.engine.user('ann'))) };
}
const metersNorth = (place: Place | undefined) =>
  place ? metersBetween(placeOf({ east: 0, north: 0 }), place) : Number.NaN;

describe('an owner who left a device at home', () => {
  test.each([30, 8])(
    'uses the position of the walking device although one at home reports every %i s',
    async (every) => {
      const { step, ann } = await walk(60, every);
      for (let second = 61; second < 300; second += 1) {
        await step(second);
        expect(ann()).toBe(Math.floor(second / 30) * 42);
      }
    },
  );

  test('records no encounter with people who pass the home', async () => {
    const { at, encounters, step } = await walk(120);
    for (let second = 121; second < 240; second += 1) {
      await step(second);
      expect(at('bob', 'phone', 5).nearbyUsers).toEqual([]);
    }
    expect(encounters).toEqual([]);
  });

  test('keeps the position of a walker who stands still', async () => {
    const { at, time, ann } = await walk(120);
    for (let second = 130; second < 300; second += 10) {
      await time.run(second * 1000);
      at('ann', 'phone', 170);
      at('ann', 'laptop', 0);
      expect(ann()).toBe(170);
    }
  });

  test('uses the home position after the phone was silent for two minutes, until it reports again', async () => {
    const { at, time, ann } = await walk(120);
    for (let second = 150; second <= 240; second += 30) {
      await time.run(second * 1000);
      at('ann', 'laptop', 0);
      expect(ann()).toBe(168);
    }
    await time.run(241_000);
    at('ann', 'laptop', 0);
    expect(ann()).toBe(0);
    at('ann', 'phone', 168);
    at('ann', 'laptop', 0);
    expect(ann()).toBe(168);
  });

  test('uses the position of a device at home once it is carried away', async () => {
    const { at, ann } = await walk(120);
    at('ann', 'laptop', 25);
    expect(ann()).toBe(168);
    at('ann', 'laptop', 35);
    expect(ann()).toBe(35);
  });

  test('ignores an inaccurate position of the device at home', async () => {
    const { engine, ann } = await walk(120);
    const place = placeOf({ east: 0, north: 60 });
    engine.report(person('ann'), { ...place, accuracy: 80 }, "ann's laptop");
    expect(ann()).toBe(168);
  });

  test('ends an encounter at home and records the next one on the walk', async () => {
    const { at, encounters, time, step } = await walk(0);
    for (let second = 1; second <= 240; second += 1) {
      await step(second);
      if (second % 10 === 3) at('bob', 'phone', 5);
    }
    expect(encounters).toHaveLength(1);
    await time.run(245_000);
    at('bob', 'phone', 340);
    expect(encounters).toHaveLength(2);
  });

  test('warns two owners of each other although both left a device at home', async () => {
    const random = randomFrom(20_261_124);
    const until = 120_000;
    const walker = (id: string, way: number): Walker[] => [
      { id, path: (at) => ({ east: 0, north: (way * (at - until) * 1.4) / 1000 }), from: 1000 },
      { id, device: 'laptop', path: () => ({ east: way * 400, north: 0 }), from: 9000 },
    ];
    const conditions = { ...QUICK, noise: 0, lost: 0, random };
    for (let round = 0; round < 10; round += 1) {
      const walkers = [...walker('ann', 1), ...walker('bob', -1)];
      for (const each of walkers) each.from = random.between(0, 30_000);
      const { warnings } = await walkOurs(walkers, until, conditions);
      const ahead = [warnings.get('ann')?.get('bob'), warnings.get('bob')?.get('ann')];
      for (const times of ahead) expect(until - (times?.[0] ?? until)).toBeGreaterThan(9000);
    }
  });
});
