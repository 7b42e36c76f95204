import { describe, expect, test } from 'vitest';
import type { Person } from '../../api/features/proximity/engine/active-user.ts';
import { EncounterEngine } from '../../api/features/proximity/engine/encounter-engine.ts';
import { Sightings } from '../../api/features/proximity/engine/sightings.ts';
import { placeOf, Simulation } from '../../bench/simulation.ts';
import { NO_OFFSET } from './no-offset.ts';

const FEET = 0.3048;

/** The engine on simulated time. `at` reports a person in feet north of the center, with their own radius. */
function park() {
  const time = new Simulation();
  const noticed: [watcher: string, other: string, feet: number][] = [];
  const met: string[] = [];
  const hidden = new Set<string>();
  const hastened: [who: string, seconds: number][] = [];
  const engine = new EncounterEngine({
    now: time.now,
    after: time.after,
    offsetOf: () => () => NO_OFFSET,
    onEncounter: ({ mover, other }) => met.push(`${mover.user_id} ${other.user_id}`),
    onRemove: (user) => own.remove(user),
    requestReport: (who, seconds) => hastened.push([who, seconds]),
  });
  const own = new Sightings(engine, {
    now: time.now,
    idOf: (_, other) => `anonymous ${other.person.user_id}`,
    mayShow: (_, other) => !hidden.has(other),
    onEntry: (viewer, other) => noticed.push([viewer, other.user_id, other.distance_feet]),
  });
  const at = (
    user_id: string,
    feet: number,
    radius_feet?: number,
    blocked: string[] = [],
    speed?: number,
  ) => {
    const rex = { name: 'Rex', sound_type: 'leash_on' as const, image_key: null };
    const person: Person = {
      user_id,
      display_name: user_id,
      dogs: user_id.startsWith('wary') ? [rex] : [],
      blocked: new Set(blocked),
    };
    const report = { ...placeOf({ east: 0, north: feet * FEET }), radius_feet, speed };
    const answer = own.apply(user_id, report, engine.report(person, report));
    const near = answer.nearbyUsers.map((user) => `${user.user_id} ${user.distance_feet}`);
    return { near, seconds: answer.next_update_seconds };
  };
  return { time, engine, own, at, noticed, met, hidden, hastened };
}

describe('a radius wider than 100 feet', () => {
  test('shows people within a wider radius, nearest first, and no one beyond', () => {
    const { at, met } = park();
    at('a', 90);
    at('b', 350);
    at('c', 460);
    expect(at('wide', 0, 400).near).toEqual(['a 90', 'b 400']);
    expect(met).toContain('wide a');
    expect(met).not.toContain('wide b');
    expect(at('wide', 0, 120).near).toEqual(['a 90']);
    expect(at('wide', 0).near).toEqual(['a 90']);
  });

  test('shows dogs that need space first, and friendly ones in an order that hides their distances', () => {
    const { at } = park();
    for (let index = 0; index < 22; index += 1) at(`f${index}`, 160 - index);
    at('wary', 200);
    const { near } = at('wide', 0, 300);
    expect(near).toHaveLength(20);
    expect(near.at(-1)).toBe('wary 250');
    expect(near.slice(0, 19)).toEqual(near.slice(0, 19).toSorted());
  });

  test('notifies both at the same moment, once, when someone enters the wider radius of the two', async () => {
    const { at, noticed, met, time } = park();
    at('wide', 0, 300);
    expect(at('walker', 500).near).toEqual([]);
    expect(noticed).toEqual([]);
    expect(at('walker', 200).near).toEqual(['wide 250']);
    expect(noticed).toEqual([
      ['walker', 'wide', 250],
      ['wide', 'walker', 250],
    ]);
    await time.run(5_000);
    at('walker', 150);
    at('walker', 250);
    at('walker', 180);
    expect(noticed).toHaveLength(2);
    await time.run(20_000);
    at('walker', 400);
    at('walker', 200);
    expect(noticed).toHaveLength(4);
    expect(met).toEqual([]);
  });

  test('notifies both once when the owner of the wider radius comes', async () => {
    const { at, noticed, time } = park();
    at('walker', 500);
    at('wide', 0, 300);
    expect(noticed).toEqual([]);
    expect(at('wide', 250, 300).near).toEqual(['walker 250']);
    expect(noticed).toEqual([
      ['wide', 'walker', 250],
      ['walker', 'wide', 250],
    ]);
    at('wide', 255, 300);
    expect(at('walker', 500).near).toEqual(['wide 250']);
    expect(noticed).toHaveLength(2);
    await time.run(30_000);
    at('wide', 50, 300);
    await time.run(60_000);
    at('wide', 250, 300);
    expect(noticed).toHaveLength(4);
  });

  test('shows two wide radii to each other once', () => {
    const { at, noticed } = park();
    at('one', 0, 300);
    expect(at('two', 200, 500).near).toEqual(['one 250']);
    expect(at('one', 0, 300).near).toEqual(['two 250']);
    // Beyond the smaller of the two radii.
    expect(at('two', 400, 500).near).toEqual(['one 500']);
    expect(at('one', 0, 300).near).toEqual(['two 500']);
    expect(noticed).toEqual([
      ['two', 'one', 250],
      ['one', 'two', 250],
    ]);
  });

  test('shows an owner of a wider radius who reports to another node', async () => {
    const { engine, own, at, noticed, time } = park();
    const person: Person = { user_id: 'wide', display_name: 'wide', dogs: [], blocked: new Set() };
    const observe = (north: number, radius_feet?: number) => {
      const sent = { at: time.now(), session: 's', next_update_seconds: 30 };
      const report = { ...placeOf({ east: 0, north }), radius_feet, ...sent };
      engine.observe(person, report);
      own.observe(engine.user('wide')!, report);
    };
    observe(0, 300);
    expect(at('walker', 200).near).toEqual(['wide 250']);
    expect(noticed).toEqual([
      ['walker', 'wide', 250],
      ['wide', 'walker', 250],
    ]);
    await time.run(5_000);
    observe(-400 * FEET);
    expect(at('walker', 200).near).toEqual([]);
  });

  test.each(['wide', 'walker'])(
    'shows neither to the other if the budget of one does not allow %s',
    (who) => {
      const { at, noticed, hidden } = park();
      hidden.add(who);
      at('walker', 200);
      expect(at('wide', 0, 300).near).toEqual([]);
      expect(at('walker', 190).near).toEqual([]);
      expect(noticed).toEqual([]);
    },
  );

  test('requests positions of both people in time, at a limited rate', async () => {
    const { at, hastened, time } = park();
    at('walker', 1_000);
    expect(at('wide', 0, 500).seconds).toBe(10);
    expect(hastened.at(-1)).toEqual(['walker', 10]);
    await time.run(20_000);
    expect(at('walker', 1_100).seconds).toBe(10);
    expect(at('wide', 0, 500).seconds).toBe(20);
  });

  test('does not show people who blocked the owner of the radius or whom they blocked', () => {
    const { at, noticed } = park();
    at('shy', 200, undefined, ['wide']);
    expect(at('wide', 0, 400, ['shy']).near).toEqual([]);
    at('shy', 150, undefined, ['wide']);
    expect(noticed).toEqual([]);
  });

  test('an absence does not reveal an exact distance', async () => {
    const seen = [];
    for (const feet of [95, 105]) {
      const { at, noticed, time, met } = park();
      at('wide', 0, 250);
      await time.run(125_000);
      at('walker', feet);
      expect(met).toEqual([]);
      seen.push(noticed.length);
    }
    expect(seen[0]).toBe(seen[1]);
  });

  test('a custom radius ends when its owner is removed', () => {
    const { at, noticed, engine } = park();
    at('wide', 0, 400);
    engine.remove('wide');
    expect(at('walker', 200)).toEqual({ near: [], seconds: 30 });
    at('stale', 0, 400);
    engine.remove('stale');
    expect(at('walker', 190)).toEqual({ near: [], seconds: 30 });
    expect(noticed).toHaveLength(2);
  });

  test('shows distances in two ranges', () => {
    const { at } = park();
    for (const feet of [140, 170, 200]) {
      at('walker', feet);
      expect(at('wide', 0, 500).near).toEqual(['walker 250']);
    }
    at('walker', 350);
    expect(at('wide', 0, 500).near).toEqual(['walker 500']);
  });

  test('shows strangers only within the budget, and always those within 100 feet', () => {
    const { at, noticed, hidden } = park();
    hidden.add('walker');
    at('walker', 200);
    expect(at('wide', 0, 400).near).toEqual([]);
    at('walker', 190);
    expect(noticed).toEqual([]);
    // Within 100 ft both are notified.
    at('walker', 80);
    expect(at('wide', 0, 400).near).toEqual(['walker 80']);
  });
});

test('a radius below 100 feet still gets frequent updates when someone is near', async () => {
  const { at, time } = park();
  const stand = (who: string, feet: number, radius?: number) => at(who, feet, radius, [], 0);
  stand('walker', 90);
  expect(stand('small', 0, 50)).toEqual({ near: ['walker 90'], seconds: 2 });
  await time.run(30_000);
  expect(stand('walker', 40).seconds).toBe(10);
  expect(stand('small', 0, 50)).toEqual({ near: ['walker 40'], seconds: 10 });
});
