import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { metersBetween } from '#shared/place.ts';
import type { NearbyUser } from '#shared/proximity/contract.ts';
import { RADIUS_METERS } from '#shared/proximity/rules.ts';
import type { Person } from '../../api/features/proximity/engine/active-user.ts';
import { EncounterEngine } from '../../api/features/proximity/engine/encounter-engine.ts';
import { placeOf, Simulation } from '../../bench/simulation.ts';
import { NO_OFFSET } from './no-offset.ts';

const person = (
  user_id: string,
  blocked: string[] = [],
  sound_type: 'leash_on' | 'leash_off' = 'leash_off',
): Person => ({
  user_id,
  display_name: user_id.toUpperCase(),
  dogs: [{ name: `${user_id}'s dog`, sound_type, image_key: null }],
  blocked: new Set(blocked),
});
/** A person with a dog that needs space. */
const wary = (user_id: string) => person(user_id, [], 'leash_on');

/** The engine on simulated time. `at` reports a person in meters north and east of the center. */
function park() {
  const time = new Simulation();
  const met: [at: number, mover: string, other: string, feet: number][] = [];
  const hastened: [who: string, seconds: number][] = [];
  const turned: [mover: string, other: string, feet: number][] = [];
  const engine = new EncounterEngine({
    now: time.now,
    after: time.after,
    offsetOf: () => () => NO_OFFSET,
    onEncounter: ({ mover, other, distance_feet }) =>
      met.push([time.now() / 1000, mover.user_id, other.user_id, distance_feet]),
    onSpaceNeeded: ({ mover, other, distance_feet }) =>
      turned.push([mover.user_id, other.user_id, distance_feet]),
    requestReport: (who, seconds) => hastened.push([who, seconds]),
  });
  const at = (
    who: string | Person,
    north: number,
    extra: { east?: number; speed?: number; heading?: number; accuracy?: number } = {},
  ) => {
    const { east = 0, ...report } = extra;
    return engine.report(typeof who === 'string' ? person(who) : who, {
      ...placeOf({ east, north }),
      ...report,
    });
  };
  const ids = (answer: ReturnType<typeof at>) => answer.nearbyUsers.map(({ user_id }) => user_id);
  return { time, engine, met, hastened, turned, at, ids };
}

describe('where and when', () => {
  /** Walks two people along a street for some seconds; each has a place at the start and a velocity, in meters north. */
  async function walk(
    one: { from: number; speed: number },
    other: { from: number; speed: number },
    seconds: number,
  ) {
    const all = park();
    const report = (who: string, { from, speed }: typeof one, second: number) =>
      all.at(who, from + speed * second, {
        speed: Math.abs(speed),
        heading: speed < 0 ? 180 : 0,
      });
    let answers = [report('a', one, 0), report('b', other, 0)];
    for (let second = 1; second <= seconds; second += 1) {
      await all.time.run(second * 1000);
      answers = [report('a', one, second), report('b', other, second)];
    }
    const last = report('a', one, seconds);
    return [last, answers[1]].map((answer) => {
      const [{ side, closest_in_seconds }] = answer!.nearbyUsers as [NearbyUser];
      return { side, closest_in_seconds };
    });
  }

  test('two who walk toward each other are ahead of each other, with the same time', async () => {
    // After 8 s they are 26 m apart, at 2.8 m/s.
    expect(await walk({ from: 0, speed: 1.4 }, { from: 48.4, speed: -1.4 }, 8)).toEqual([
      { side: 'ahead', closest_in_seconds: 10 },
      { side: 'ahead', closest_in_seconds: 10 },
    ]);
  });

  test('who catches up is behind the one in front', async () => {
    expect(await walk({ from: 0, speed: 2 }, { from: 20, speed: 1 }, 8)).toEqual([
      { side: 'ahead', closest_in_seconds: 15 },
      { side: 'behind', closest_in_seconds: 15 },
    ]);
  });

  test('nobody is told a side while one of the two stands, but both are told when', async () => {
    expect(await walk({ from: 0, speed: 1.4 }, { from: 30, speed: 0 }, 8)).toEqual([
      { side: undefined, closest_in_seconds: 15 },
      { side: undefined, closest_in_seconds: 15 },
    ]);
  });

  test('no time is told to two who part', async () => {
    expect(await walk({ from: 0, speed: -1.4 }, { from: 5, speed: 1.4 }, 6)).toEqual([
      { side: 'behind', closest_in_seconds: undefined },
      { side: 'behind', closest_in_seconds: undefined },
    ]);
  });
});

describe('people nearby', () => {
  test('returns exactly the people within the radius, nearest first', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            east: fc.double({ min: -60, max: 60, noNaN: true }),
            north: fc.double({ min: -60, max: 60, noNaN: true }),
          }),
          { maxLength: 19 },
        ),
        (spots) => {
          const { at, ids } = park();
          spots.forEach((spot, index) => at(`u${index}`, spot.north, { east: spot.east }));
          const here = placeOf({ east: 0, north: 0 });
          const meters = new Map(
            spots.map((spot, index) => [`u${index}`, metersBetween(here, placeOf(spot))]),
          );
          const found = ids(at('me', 0));
          const near = [...meters].filter(([, distance]) => distance <= RADIUS_METERS);
          expect(found.toSorted()).toEqual(near.map(([id]) => id).toSorted());
          const distances = found.map((id) => Math.round((meters.get(id) ?? 0) * 1e3));
          expect(distances).toEqual(distances.toSorted((a, b) => a - b));
        },
      ),
    );
  });

  test('returns at most twenty people', () => {
    const { at } = park();
    for (let index = 0; index < 30; index += 1) at(`u${index}`, index / 2);
    const { nearbyUsers } = at('me', 0);
    expect(nearbyUsers).toHaveLength(20);
    expect(nearbyUsers[19]?.user_id).toBe('u19');
  });

  test('returns people with a dog that needs space even if many friendly ones are nearer', () => {
    const { at, ids } = park();
    for (let index = 0; index < 25; index += 1) at(`u${index}`, 2 + index / 2);
    at(wary('far'), -28);
    at(wary('near'), 1);
    const shown = ids(at('me', 0));
    const friendly = Array.from({ length: 18 }, (_, index) => `u${index}`);
    expect(shown).toEqual(['near', ...friendly, 'far']);
  });

  test('returns the nearest twenty people with a dog that needs space', () => {
    const { at, ids } = park();
    at('friendly', 0.1);
    for (let index = 0; index < 25; index += 1) at(wary(`w${index}`), 1 + index);
    const nearest = Array.from({ length: 20 }, (_, index) => `w${index}`);
    expect(ids(at('me', 0))).toEqual(nearest);
  });

  test('excludes users whose last position is older than two minutes', async () => {
    const { at, ids, time, engine } = park();
    at('a', 0);
    await time.run(119_000);
    expect(ids(at('b', 5))).toEqual(['a']);
    await time.run(121_000);
    expect(ids(at('b', 5))).toEqual([]);
    expect(engine.removeStale()).toEqual(['a']);
    expect(engine.size).toBe(1);
  });

  test('removes restored positions once they are stale, in whatever order they were read', async () => {
    const { at, time, engine } = park();
    await time.run(100_000);
    const here = placeOf({ east: 0, north: 0 });
    for (const [who, second] of [
      ['fresh', 99],
      ['old', 5],
      ['returns', 50],
      ['older', 1],
      ['ahead', 900],
    ] as const)
      engine.restore(person(who), here, second * 1000);
    await time.run(122_000);
    expect(engine.removeStale()).toEqual(['older']);
    await time.run(130_000);
    at('returns', 0);
    at('new', 0);
    expect(engine.removeStale()).toEqual(['old']);
    await time.run(220_000);
    expect(engine.removeStale()).toEqual(['fresh', 'ahead']);
    const present = Array.from(engine.users(), ({ person }) => person.user_id);
    expect(present).toEqual(['returns', 'new']);
    await time.run(250_000);
    expect(engine.removeStale()).toEqual(['returns', 'new']);
  });

  test('excludes a removed user until they report again', () => {
    const { at, ids, engine } = park();
    at('a', 0);
    engine.remove('a');
    expect(ids(at('b', 5))).toEqual([]);
    at('a', 0);
    expect(ids(at('b', 5))).toEqual(['a']);
  });

  test('excludes blocked people in both directions, even if only one side knows', () => {
    const { at, ids, met } = park();
    at(person('a', ['b']), 0);
    expect(ids(at('b', 5))).toEqual([]);
    expect(ids(at(person('a', ['b']), 0))).toEqual([]);
    expect(met).toEqual([]);
  });
});

describe('reporting intervals of people who see each other', () => {
  /** Reports a and b in meters north at speeds in m/s northward, twice, so that their motion is known. */
  async function meet(a: [at: number, speed: number], b: [at: number, speed: number]) {
    const there = park();
    const report = (who: string, [meters, speed]: [number, number], second: number) =>
      there.at(who, meters + speed * second, {
        speed: Math.abs(speed),
        heading: speed < 0 ? 180 : 0,
        accuracy: 3,
      }).next_update_seconds;
    for (const second of [0, 4]) {
      await there.time.run(second * 1000);
      report('a', a, second);
      report('b', b, second);
    }
    there.hastened.length = 0;
    await there.time.run(8000);
    return { ...there, seconds: report('b', b, 8), follow: report('a', a, 8) };
  }

  test('are two seconds for both while one comes closer', async () => {
    const { seconds, follow } = await meet([0, 0], [28, -1.4]);
    expect([seconds, follow]).toEqual([2, 2]);
  });

  test('are five seconds while they walk side by side or part', async () => {
    expect(await meet([0, 1.4], [5, 1.4])).toMatchObject({ seconds: 5, follow: 5 });
    expect(await meet([0, 0], [5, 1.4])).toMatchObject({ seconds: 5, follow: 5 });
  });

  test('are ten seconds while both stand', async () => {
    const { seconds, follow, time, at, hastened } = await meet([0, 0], [20, 0]);
    expect([seconds, follow]).toEqual([10, 10]);
    // The standing user is asked to report as soon as the other one is known to walk.
    await time.run(10_000);
    for (const [second, meters] of [[10, 17] as const, [12, 14] as const]) {
      await time.run(second * 1000);
      expect(at('b', meters, { speed: 1.4, heading: 180, accuracy: 3 }).next_update_seconds).toBe(
        2,
      );
    }
    expect(hastened).toEqual([['a', 2]]);
  });

  test('do not depend on how close someone comes of whom both are warned without a name', async () => {
    const there = park();
    for (const second of [0, 4, 8]) {
      await there.time.run(second * 1000);
      there.at(wary('b'), 20 - second, { speed: 1, heading: 180 });
      const { next_update_seconds } = there.at(person('a', ['b']), 0, { speed: 0 });
      // As often as for anyone whose coarse location is near.
      expect(next_update_seconds).toBe(2);
    }
    expect(there.met).toEqual([]);
  });
});

describe('encounters', () => {
  test('records an encounter once while people stay together', async () => {
    const { at, met, time } = park();
    at('a', 0);
    for (let second = 1; second < 200; second += 1) {
      await time.run(second * 1000);
      at('b', 5 + (second % 20));
      at('a', 0);
    }
    expect(met).toEqual([[1, 'b', 'a', 20]]);
  });

  test('does not repeat an encounter because of jitter at the edge', async () => {
    const { at, met, time } = park();
    at('a', 0);
    for (let second = 1; second < 120; second += 1) {
      await time.run(second * 1000);
      at('b', second % 2 === 0 ? 29 : 33);
      at('a', 0);
    }
    expect(met).toHaveLength(1);
  });

  test('records another encounter after people part for half a minute', async () => {
    const { at, met, time } = park();
    at('a', 0);
    at('b', 20);
    await time.run(10_000);
    at('b', 60);
    await time.run(20_000);
    at('b', 20);
    expect(met).toHaveLength(1);
    await time.run(25_000);
    at('b', 60);
    await time.run(40_000);
    at('a', 0);
    at('b', 20);
    expect(met.map(([second]) => second)).toEqual([0, 40]);
  });

  test('does not repeat an encounter when sharing is turned off and on', async () => {
    const { at, met, time, engine } = park();
    at('a', 0);
    at('b', 20);
    for (let second = 1; second < 25; second += 1) {
      await time.run(second * 1000);
      engine.remove('b');
      at('b', 20);
    }
    expect(met).toHaveLength(1);
  });

  test('records another encounter when a person drives away and returns an hour later', async () => {
    const { at, met, time } = park();
    at('a', 0);
    at('b', 10);
    for (let second = 10; second <= 3_600; second += 10) {
      await time.run(second * 1000);
      at('b', 10 + Math.min(second, 3_600 - second) * 15, { speed: 15, heading: 0 });
      at('a', 0);
    }
    await time.run(3_620_000);
    at('b', 10);
    at('a', 0);
    expect(met.map(([second]) => second)).toEqual([0, 3_620]);
  });

  test('does not repeat an encounter after a restart', () => {
    const { engine, at, met } = park();
    engine.restore(person('a'), placeOf({ east: 0, north: 0 }), 0);
    engine.restore(person('b'), placeOf({ east: 0, north: 10 }), 0);
    engine.restoreEncounter('a', 'b', 0);
    at('b', 10);
    expect(met).toEqual([]);
  });

  test('announces an encounter with someone whose position comes from the database', async () => {
    const { engine, at, met, time } = park();
    at('a', 0);
    engine.restore(person('b'), placeOf({ east: 0, north: 10 }), 0);
    engine.restore(person('far'), placeOf({ east: 0, north: 100 }), 0);
    await time.run(1_000);
    expect(met.map(([, ...who]) => who)).toEqual([['b', 'a', 40]]);
  });

  test('leaves the encounter of a restored position to the node that announced it', async () => {
    const { engine, at, met, time } = park();
    at('a', 0);
    engine.restore(person('b'), placeOf({ east: 0, north: 10 }), 0);
    engine.restoreEncounter('a', 'b', 0);
    await time.run(1_000);
    expect(met).toEqual([]);
  });
});

test('an encounter that is restored late does not bring those together who have parted', async () => {
  const { engine, at, time } = park();
  at('a', 0);
  at('b', 10);
  const isTogether = () => engine.user('a')?.companions?.has(engine.user('b')!);
  expect(isTogether()).toBe(true);
  await time.run(8_000);
  at('b', 50);
  engine.restoreEncounter('a', 'b', 100);
  expect(isTogether()).toBe(false);
});

describe('a dog that now needs space', () => {
  test('notifies people nearby of a dog that now needs space without a new encounter', () => {
    const { at, engine, met, turned } = park();
    at('a', 0);
    at('b', 20);
    at('far', 200);
    engine.update(wary('a'));
    engine.update(wary('a'));
    expect(turned).toEqual([['a', 'b', 70]]);
    engine.update(person('a'));
    expect(turned).toHaveLength(1);
    expect(met).toHaveLength(1);
  });

  test('notifies of a dog that now needs space with its owner’s next report', () => {
    const { at, turned } = park();
    at('a', 0);
    at('b', 20);
    at(wary('a'), -16);
    expect(turned).toEqual([['a', 'b', 100]]);
    at(person('a'), 0);
    at(wary('a'), 100);
    expect(turned).toHaveLength(1);
  });

  test('does not notify blocked people of a dog that now needs space', () => {
    const { at, engine, turned } = park();
    at('a', 0);
    at('b', 20);
    engine.update(person('a', ['b'], 'leash_on'));
    expect(turned).toEqual([]);
  });
});

describe('approaching people', () => {
  /** Two people approach at 1.4 m/s with a report per second until `silentFrom`, in seconds. */
  async function approach(aside: number, silentFrom: number, turnAt = Infinity) {
    const world = park();
    const gap = (second: number) => 2.8 * (40 - (second > turnAt ? 2 * turnAt - second : second));
    for (let second = 0; second <= silentFrom; second += 1) {
      await world.time.run(second * 1000);
      world.at('a', 0, { speed: 0, accuracy: 2 });
      world.at('b', gap(second), { east: aside, accuracy: 2 });
    }
    return world;
  }
  /** The second at which the two of `approach` come within the radius. */
  const entry = (aside: number) => 40 - Math.sqrt(RADIUS_METERS ** 2 - aside ** 2) / 2.8;

  test('notifies both people when their predicted paths meet, between reports', async () => {
    const { time, met } = await approach(3, 25);
    expect(met).toEqual([]);
    await time.run(40_000);
    expect(met).toHaveLength(1);
    expect(Math.abs((met[0]?.[0] ?? 0) - entry(3))).toBeLessThan(0.5);
    expect(met[0]?.[3]).toBe(100);
  });

  test('includes a predicted encounter in responses before any report confirms it', async () => {
    const { time, met, at, ids } = park();
    const walk = async (second: number) => {
      await time.run(second * 1000);
      return [at('a', -100 + second * 1.4), at('b', 100 - second * 1.4)] as const;
    };
    for (let second = 0; second <= 60; second += 2) await walk(second);
    // They are within 100 ft after 60.5 s.
    await time.run(61_000);
    expect(met).toHaveLength(1);
    const answer = at('a', -100 + 60.2 * 1.4);
    expect(ids(answer)).toEqual(['b']);
    expect(answer.nearbyUsers[0]?.distance_feet).toBe(100);
  });

  test('drops a predicted encounter when people turn around, and requests reports soon', async () => {
    const { time, met, at, ids } = park();
    for (let second = 0; second <= 60; second += 2) {
      await time.run(second * 1000);
      at('a', -100 + second * 1.4);
      at('b', 100 - second * 1.4);
    }
    await time.run(64_000);
    expect(met).toHaveLength(1);
    for (let second = 64; second <= 70; second += 2) {
      await time.run(second * 1000);
      at('a', -16 - (second - 62) * 1.4);
      at('b', 16 + (second - 62) * 1.4);
    }
    const answer = at('a', -28);
    expect(ids(answer)).toEqual([]);
    expect(answer.next_update_seconds).toBeLessThanOrEqual(5);
  });

  test('does not predict long after the last report', async () => {
    const { time, met } = await approach(3, 15);
    await time.run(60_000);
    expect(met).toEqual([]);
  });

  test('does not notify people who pass each other at a distance', async () => {
    const { time, met } = await approach(40, 45);
    await time.run(60_000);
    expect(met).toEqual([]);
  });

  test('drops a prediction when a newer report contradicts it', async () => {
    const { time, met } = await approach(0, 35, 26);
    await time.run(80_000);
    expect(met).toEqual([]);
  });

  test('notifies both at the later moment when a newer report predicts it later', async () => {
    const { time, met, at } = await approach(0, 26);
    for (let second = 27; second <= 34; second += 1) {
      await time.run(second * 1000);
      at('a', 0, { speed: 0, accuracy: 2 });
      at('b', 39.2 - (second - 26) * 0.8, { speed: 0.8, heading: 180, accuracy: 2 });
    }
    // At 2.8 m/s they would have met after 29.1 s.
    expect(met).toEqual([]);
    await time.run(45_000);
    expect(met).toHaveLength(1);
    expect(Math.abs((met[0]?.[0] ?? 0) - (26 + (39.2 - RADIUS_METERS) / 0.8))).toBeLessThan(1.5);
  });

  test('drops a prediction when a person is removed or blocked', async () => {
    const dropped = await approach(0, 27);
    dropped.engine.remove('a');
    await dropped.time.run(60_000);
    expect(dropped.met).toEqual([]);
    const blocked = await approach(0, 27);
    blocked.engine.update(person('a', ['b']));
    await blocked.time.run(60_000);
    expect(blocked.met).toEqual([]);
  });

  test('ignores speeds that no walker reaches', async () => {
    const { at, met, time } = park();
    at('a', 0);
    for (let second = 0; second < 10; second += 1) {
      await time.run(second * 1000);
      at('b', 60, { speed: 300, heading: 180, accuracy: 2 });
    }
    await time.run(30_000);
    expect(met).toEqual([]);
  });
});

describe('the next report', () => {
  test('is due in 30 s when no one can come near before', () => {
    const { at } = park();
    expect(at('a', 0).next_update_seconds).toBe(30);
    expect(at('b', 1000).next_update_seconds).toBe(30);
  });

  test('is due sooner the closer someone is', () => {
    const waits = [500, 300, 220, 90, 40].map((meters) => {
      const { at } = park();
      at('a', 0);
      return at('b', meters).next_update_seconds;
    });
    expect(waits).toEqual(waits.toSorted((a, b) => b - a));
    expect(waits[0]).toBe(30);
    expect(waits.at(-1)).toBeLessThanOrEqual(2);
  });

  test('requests a report only from a person who would report too late', () => {
    const { at, hastened } = park();
    at('a', 0);
    at('far', 2000);
    const { next_update_seconds } = at('b', 70);
    expect(hastened).toEqual([['a', next_update_seconds]]);
  });

  test('is less frequent once the person nearby stays', async () => {
    const { at, time } = park();
    let wait = 0;
    for (let second = 0; second < 60; second += 5) {
      await time.run(second * 1000);
      at('a', 0);
      wait = at('b', 15).next_update_seconds;
    }
    expect(wait).toBe(10);
  });

  test('is as soon because of a blocked person of whom both are warned', () => {
    const { at } = park();
    at(person('a', ['b']), 0);
    expect(at(wary('b'), 40).next_update_seconds).toBe(2);
  });

  test('does not tell of a blocked person of whom neither is warned', () => {
    const { at, hastened } = park();
    at(person('a', ['b']), 0);
    expect(at('b', 40).next_update_seconds).toBe(30);
    expect(hastened).toEqual([]);
  });
});
