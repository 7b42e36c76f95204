import { describe, expect, test } from 'vitest';
import type { Person } from '../../api/features/proximity/engine/active-user.ts';
import { EncounterEngine } from '../../api/features/proximity/engine/encounter-engine.ts';
import { Sightings } from '../../api/features/proximity/engine/sightings.ts';
import { placeOf, Simulation } from '../../bench/simulation.ts';
import { NO_OFFSET } from './no-offset.ts';

const person = (user_id: string): Person => ({
  user_id,
  display_name: user_id,
  dogs: [{ name: 'Rex', sound_type: 'leash_on', image_key: null }],
  blocked: new Set(),
});

interface Extra {
  accuracy?: number | null;
  speed?: number;
  heading?: number;
  radius_feet?: number;
}

/** The engine on simulated time. `at` reports a person in meters north of the center. */
function park() {
  const time = new Simulation();
  const met: string[] = [];
  const hastened: string[] = [];
  const noticed: string[] = [];
  const engine = new EncounterEngine({
    now: time.now,
    after: time.after,
    offsetOf: () => () => NO_OFFSET,
    onEncounter: ({ mover, other }) => met.push(`${mover.user_id} ${other.user_id}`),
    requestReport: (who) => hastened.push(who),
  });
  const sightings = new Sightings(engine, {
    now: time.now,
    idOf: (_, other) => `anonymous ${other.person.user_id}`,
    mayShow: () => true,
    onEntry: (viewer, other) => noticed.push(`${viewer} ${other.user_id}`),
  });
  const at = (who: string, north: number, extra: Extra = {}) => {
    const report = { ...placeOf({ east: 0, north }), ...extra };
    return sightings.apply(who, report, engine.report(person(who), report));
  };
  return { time, engine, met, hastened, noticed, at };
}

const TOWN = { accuracy: 25_000 };
const TOO_ROUGH = { nearbyUsers: [], next_update_seconds: 30, is_too_rough: true };

describe('an inaccurate position', () => {
  test('an inaccurate position causes no encounters, even at the same coordinates', () => {
    const { at, met, hastened } = park();
    at('exact', 0);
    expect(at('ann', 0, TOWN)).toEqual(TOO_ROUGH);
    expect(at('bob', 0, TOWN)).toEqual(TOO_ROUGH);
    expect(at('exact', 0)).toEqual({ nearbyUsers: [], next_update_seconds: 30 });
    expect([met, hastened]).toEqual([[], []]);
  });

  test.each([[100], [null], [undefined]])('an accuracy of %s m is accurate enough', (accuracy) => {
    const { at, met } = park();
    at('ann', 0, { accuracy });
    expect(at('bob', 10, { accuracy })).toMatchObject({ nearbyUsers: [{ user_id: 'ann' }] });
    expect(met).toEqual(['bob ann']);
  });

  test('an inaccurate position does not replace an accurate one for two minutes', async () => {
    const { at, met, time } = park();
    at('ann', 0);
    await time.run(25_000);
    const { nearbyUsers, is_too_rough } = at('ann', 700, TOWN);
    expect([nearbyUsers, is_too_rough]).toEqual([[], undefined]);
    at('bob', 10);
    expect(met).toEqual(['bob ann']);
    expect(at('ann', 700, TOWN).nearbyUsers).toMatchObject([{ user_id: 'bob' }]);
    await time.run(35_000);
    // Others are still shown her last good position.
    expect(at('ann', 700, TOWN)).toMatchObject({
      nearbyUsers: [{ user_id: 'bob' }],
      is_too_rough: true,
    });
    await time.run(119_000);
    at('cat', 10);
    expect(met).toContain('cat ann');
    await time.run(121_000);
    expect(at('ann', 700, TOWN)).toEqual(TOO_ROUGH);
    expect(at('dan', 0).nearbyUsers.map(({ user_id }) => user_id)).toEqual(['cat', 'bob']);
  });

  test('an inaccurate position ends no encounter, and an accurate one replaces it', async () => {
    const { at, met, engine, time } = park();
    at('bob', 0);
    at('ann', 10);
    for (let second = 10; second <= 200; second += 10) {
      await time.run(second * 1000);
      at('bob', 0);
      at('ann', 900, TOWN);
    }
    expect(engine.user('ann')?.isIneligible).toBe(true);
    expect(at('ann', 10).nearbyUsers).toHaveLength(1);
    expect(met).toEqual(['ann bob']);
  });

  test('an inaccurate position is not shown to people with a wide radius, and shows its owner no one', () => {
    const { at, noticed } = park();
    at('wide', 0, { radius_feet: 400 });
    at('ann', 50, TOWN);
    expect(at('rough', 0, { ...TOWN, radius_feet: 400 })).toEqual(TOO_ROUGH);
    expect(at('wide', 0, { radius_feet: 400 }).nearbyUsers).toEqual([]);
    at('bob', 60);
    expect(noticed).toEqual(['bob wide', 'wide bob']);
  });

  test('an inaccurate position stays so after a restart', () => {
    const { at, met, engine } = park();
    engine.restore(person('ann'), placeOf({ east: 0, north: 0 }), 0, { isIneligible: true });
    expect(at('bob', 0).nearbyUsers).toEqual([]);
    at('ann', 5);
    expect(met).toEqual(['ann bob']);
  });
});

describe('a driver', () => {
  test('a driver who passes people causes no encounters and notifications, whatever the radius', async () => {
    const { at, met, noticed, time } = park();
    const answers = [];
    for (let second = 0; second <= 30; second += 5) {
      await time.run(second * 1000);
      if (second % 10 === 0) at('ann', 10, { accuracy: 5, speed: 0, radius_feet: 300 });
      const car = { accuracy: 5, speed: 14, heading: 0 };
      answers.push(at('car', (second - 15) * 14, car));
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify({ nearbyUsers: [], next_update_seconds: 10 })]),
    );
    expect([met, noticed]).toEqual([[], []]);
  });

  test('a driver encounters people nearby after getting out', async () => {
    const { at, met, time } = park();
    at('ann', 10);
    at('car', 0, { speed: 14, heading: 0 });
    await time.run(10_000);
    at('car', 20, { speed: 0 });
    expect(met).toEqual(['car ann']);
  });
});
